import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault, lastLine, reasonIn } from './fault.js';
import { processesIn, send } from './processes.js';
import { type Stranger } from './stranger.js';

/** How long processes may take to end behind the command that began them. */
const LEAVE_MS = 10_000;

/** What commands need of a stranger. */
export type Place = Pick<Stranger, 'folder' | 'checkout' | 'env' | 'ids'>;

/** A command that runs. */
export interface Command {
  /** What it wrote so far. */
  readonly output: string;
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Reaches each process of its group, as from a terminal. */
  signal(name: NodeJS.Signals): void;
}

/** What a stranger types into a terminal: each command in a process group of its own, as a shell makes it, and none without end. */
export class Commands {
  private readonly running = new Set<Command>();

  constructor(
    private readonly place: Place,
    /** Takes what is typed and what commands write. */
    private readonly show: (text: string) => void,
  ) {}

  /** Begins a command. */
  begin(text: string, shell = 'sh'): Command {
    this.show(`$ ${text.trim().replaceAll('\n', '\n> ')}\n`);
    const { checkout: cwd, env, ids } = this.place;
    const child = spawn(shell, ['-c', text], { cwd, env, ...ids, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const command = commandOf(child, this.show);
    this.running.add(command);
    void command.ended.then(() => this.running.delete(command));
    return command;
  }

  /** Runs one to its end. @returns its output. @throws Fault when it fails or takes longer than that many minutes. */
  async run(step: string, text: string, minutes: number, shell?: string): Promise<string> {
    const command = this.begin(text, shell);
    const status = await within(minutes, command.ended);
    if (status === undefined) throw new Fault(step, `not ended in ${minutes} minutes: ${lastLine(command.output)}`);
    if (status !== 0) throw new Fault(step, `ended with ${status}: ${reasonIn(command.output)}`);
    return command.output;
  }

  /** @throws Fault when processes of the stranger's go on after a command has ended. */
  async noneLeft(step: string, patienceMs = LEAVE_MS): Promise<void> {
    const end = Date.now() + patienceMs;
    while (processesIn(this.place.folder).length > 0 && Date.now() < end) await pause(100);
    const left = processesIn(this.place.folder).map(({ pid, program }) => `${program} (${pid})`);
    if (left.length > 0) throw new Fault(step, `left processes behind: ${left.join(', ')}`);
  }

  /** Kills what is left, processes that left their group too. */
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
      // The shell can't be started: the command is none.
      child.once('error', (error) => resolve(error.message));
      child.once('close', (status, name) => resolve(status ?? name!));
    }),
    signal: (name) => child.pid !== undefined && send(-child.pid, name),
  };
}

/** What it resolves with; undefined when that many minutes are over. */
export async function within<T>(minutes: number, promise: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, pause(minutes * 60_000, undefined, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
