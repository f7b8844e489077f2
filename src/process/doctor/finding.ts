/** The result of one check. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  message: string;
  /** What the operator does about it; null for `ok`. */
  remedy: string | null;
}

/** A finding without its check. */
export type Result = Omit<Finding, 'check'>;

export function ok(message: string): Result {
  return { status: 'ok', message, remedy: null };
}

export function warning(message: string, remedy: string): Result {
  return { status: 'warning', message, remedy };
}

export function failed(message: string, remedy: string): Result {
  return { status: 'failed', message, remedy };
}
