/** The exit statuses of the command `workflow-gateway`, besides `EXIT_CONFIG` (78) and 128 + signal. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2 } as const;

/** A command line that cannot be executed; its message is one sentence. The command exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs the validation of a command line; its errors are of wrong use. @throws UsageError */
export function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
