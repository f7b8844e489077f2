import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault, lastLine, reasonIn } from './fault.js';
import { processesIn, send } from './processes.js';
import { type Stranger } from './stranger.js';

/** How long processes may outlive the command that started them. */
const LEAVE_MS = 10_000;

/** The properties of a stranger that commands need. */
export type Place = Pick<Stranger, 'folder' | 'checkout' | 'env' | 'ids'>;

/** A running command. */
export interface Command {
  /** The output so far. */
  readonly output: string;
  /** The exit status, or the signal that ended the command. */
  readonly ended: Promise<number | string>;
  /** Sends a signal to each process of its group, like a terminal. */
  signal(name: NodeJS.Signals): void;
}

/** Runs commands like a user at a terminal: each in its own process group, as in a shell, and with a time limit. */
export class Commands {
  private readonly running = new Set<Command>();

  constructor(
    private readonly place: Place,
    /** Receives the commands and their output. */
    private readonly show: (text: string) => void,
  ) {}

  /** Starts a command. */
  begin(text: string, shell = 'sh'): Command {
    this.show(`$ ${text.trim().replaceAll('\n', '\n> ')}\n`);
    const { checkout: cwd, env, ids } = this.place;
    const child = spawn(shell, ['-c', text], { cwd, env, ...ids, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const command = commandOf(child, this.show);
    this.running.add(command);
    void command.ended.then(() => this.running.delete(command));
    return command;
  }

  /** Runs a command to its end. @returns its output. @throws Fault when it fails or exceeds this many minutes. */
  async run(step: string, text: string, minutes: number, shell?: string): Promise<string> {
    const command = this.begin(text, shell);
    const status = await within(minutes, command.ended);
    if (status === undefined) throw new Fault(step, `not ended in ${minutes} minutes: ${lastLine(command.output)}`);
    if (status !== 0) throw new Fault(step, `ended with ${status}: ${reasonIn(command.output)}`);
    return command.output;
  }

  /** @throws Fault when processes of the stranger are still running after a command has ended. */
  async noneLeft(step: string, patienceMs = LEAVE_MS): Promise<void> {
    const end = Date.now() + patienceMs;
    while (processesIn(this.place.folder).length > 0 && Date.now() < end) await pause(100);
    const left = processesIn(this.place.folder).map(({ pid, program }) => `${program} (${pid})`);
    if (left.length > 0) throw new Fault(step, `left processes behind: ${left.join(', ')}`);
  }

  /** Kills all remaining processes, including those that left their group. */
  endAll(): void {
    for (const command of this.running) command.signal('SIGKILL');
    for (const { pid } of processesIn(this.place.folder)) send(pid, 'SIGKILL');
  }
}

function commandOf(child: ChildProcess, show: (text: string) => void): Command {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      show(text);
    });
  }
  return {
    get output() {
      return output;
    },
    ended: new Promise((resolve) => {
      // The shell could not be started.
      child.once('error', (error) => resolve(error.message));
      child.once('close', (status, name) => resolve(status ?? name!));
    }),
    signal: (name) => child.pid !== undefined && send(-child.pid, name),
  };
}

/** The result of the promise; undefined after this many minutes. */
export async function within<T>(minutes: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, pause(minutes * 60_000, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
