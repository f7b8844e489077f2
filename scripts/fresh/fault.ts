/** A failed promise of the README; only its message, one line, is shown. */
export class Fault extends Error {
  constructor(step: string, reason: string) {
    super(`${step}: ${reason.replace(/\s+/g, ' ').trim()}`);
  }
}

/**
 * Patterns for the most telling line of a failed command's output, in order: tests, npm, the compiler, the log, any
 * error.
 */
const TELLING = [
  /^ *● .+ › .+$/m,
  /^npm error (?:Missing|Invalid): .+$/m,
  /^npm error (?!code |errno |path |A complete log|\s*$).+$/m,
  /^.*error TS\d+.*$/m,
  /^\{.*"level":"?(?:error|fatal|50|60).*$/m,
  /^.*\b(?:error|fault|cannot|not found|no such|denied)\b.*$/im,
];

/** The line that says why a command failed; by default the last one. */
export function reasonIn(output: string): string {
  for (const pattern of TELLING) {
    const line = pattern.exec(output)?.[0];
    if (line !== undefined) return line;
  }
  return lastLine(output);
}

/** The last line of a command that did not end. */
export function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) || 'it wrote nothing';
}
