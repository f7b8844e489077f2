import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * Spawn options of every database process: the environment of the service, which holds secrets, does not reach another
 * user.
 */
export const PLAIN_SPAWN = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin', LC_ALL: 'C' },
} as const satisfies SpawnOptions;

/**
 * The output of a command. `status` is 127 when it could not be started, as in a shell, with the reason in `stderr`.
 */
export interface RunResult {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a short command to its end. Never rejects. */
export function run(
  command: string,
  args: string[],
  options: { switchTo?: { uid?: number; gid?: number }; input?: string } = {},
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...PLAIN_SPAWN, ...options.switchTo });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => resolve({ status: 127, stdout, stderr: error.message }));
    child.on('close', (code) => resolve({ status: code ?? 128, stdout, stderr }));
    // For a command that ends without reading its input, only the status counts.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input);
  });
}

/** The last line that names an error, without its prefix of time and program. */
export function complaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error|could not)\b/.test(line)).at(-1) ?? lines.at(-1);
  return (telling ?? 'it gave no reason').replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '').trim();
}
