/** What lacked, in one line: its message is all that is shown of it. */
export class Fault extends Error {
  constructor(step: string, reason: string) {
    super(`${step}: ${reason.replace(/\s+/g, ' ').trim()}`);
  }
}

/** What tells most of a failed command's output, the first that matches: tests, npm, the compiler, the log, any error. */
const TELLING = [
  /^ *● .+ › .+$/m,
  /^npm error (?:Missing|Invalid): .+$/m,
  /^npm error (?!code |errno |path |A complete log|\s*$).+$/m,
  /^.*error TS\d+.*$/m,
  /^\{.*"level":"?(?:error|fatal|50|60).*$/m,
  /^.*\b(?:error|fault|cannot|not found|no such|denied)\b.*$/im,
];

/** The line that says why a command failed; the last one where none is known to. */
export function reasonIn(output: string): string {
  for (const pattern of TELLING) {
    const line = pattern.exec(output)?.[0];
    if (line !== undefined) return line;
  }
  return lastLine(output);
}

/** Where a command was when it had not ended. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) || 'it wrote nothing';
}
