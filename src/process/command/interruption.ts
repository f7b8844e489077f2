const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ctrl-C and SIGTERM during a subcommand: `signal` aborts its work, which cleans up after itself. A second one ends the
 * process at once.
 */
export class Interruption {
  /** The exit status, 128 + the number of the signal; undefined while none has arrived. */
  status: number | undefined;
  private readonly aborted = new AbortController();
  private readonly listeners: [NodeJS.Signals, () => void][] = [];

  /** Listens for signals from now on. `start` never calls it: the service has listeners of its own. */
  begin(): AbortSignal {
    for (const [name, status] of Object.entries(STATUS) as [keyof typeof STATUS, number][]) {
      const listener = () => {
        if (this.status !== undefined) process.exit(status);
        this.status = status;
        this.aborted.abort(new Error(`stopped by ${name}`));
      };
      this.listeners.push([name, listener]);
      process.on(name, listener);
    }
    return this.aborted.signal;
  }

  end(): void {
    for (const [name, listener] of this.listeners) process.removeListener(name, listener);
    if (this.status !== undefined) process.exitCode = this.status;
  }
}
