import { jsonLines, type Output } from '../cli/shell-command.js';

/** The options of each subcommand that prints. */
export interface OutputOptions {
  json?: true;
}

/** The option of each subcommand that prints: its flag and its description. */
export const JSON_OPTION = ['--json', 'print one JSON object a line'] as const;

/** Prints the output of a command: for programs one JSON object a line, for people a text or a table. */
export function print(output: Output | undefined, { json }: OutputOptions): void {
  if (output === undefined) return;
  if ('text' in output) return line(json ? JSON.stringify({ [output.name]: output.text }) : output.text);
  const text = json ? jsonLines(output.rows) : tableOf(output.rows);
  if (text !== undefined) line(text);
}

/** Prints a line of progress for people, on standard error. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Columns under the names of the members; undefined for no rows. */
function tableOf(rows: readonly Record<string, unknown>[]): string | undefined {
  if (rows.length === 0) return undefined;
  const names = Object.keys(rows[0]!);
  const cells = [
    names.map((name) => name.replaceAll('_', ' ').toUpperCase()),
    ...rows.map((row) => names.map((name) => cellOf(row[name]))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A text may hold line breaks and control characters of a stranger; a table shows them escaped. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
