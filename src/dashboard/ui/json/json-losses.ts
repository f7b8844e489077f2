/**
 * Placeholders without quotes count as tokens too, so that places are those of the text as it is typed. The part for
 * texts loops over escapes only: a loop over characters would overflow the stack in a text of megabytes.
 */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*"|\{\{[^{}]*\}\})(\s*:)?|[{}]|-?\d[\d.eE+-]*/g;

/** The longest piece of the text that a fault quotes. */
const MAX_QUOTED = 40;

/**
 * The first value of a valid JSON text that a reader changes silently: a number that a double cannot hold, or a name
 * that an object has twice. Its place counts from 1.
 */
export function lossInJson(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(TOKEN)) {
    let loss: string | undefined;
    if (quoted !== undefined) {
      if (colon !== undefined) loss = noteName(nameOf(quoted), open.at(-1));
    } else if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else loss = lossInJsonNumber(token);
    if (loss !== undefined) return `${loss}, ${placeOf(text, index)}.`;
  }
  return undefined;
}

/** How a double changes a decimal number: infinite, zero or rounded. Fractions are rounded without a fault. */
export function lossOfNumber(literal: string): 'range' | 'rounded' | undefined {
  const decimal = decimalOf(literal);
  if (decimal === undefined) return undefined;
  const { digits, exponent } = decimal;
  const read = Number(literal);
  if (!Number.isFinite(read) || (read === 0 && digits !== '')) return 'range';
  if (exponent < 0) return undefined;
  // Compared as it is written again: what the service stored is accepted unchanged.
  const again = decimalOf(String(read));
  return again?.digits === digits && again.exponent === exponent ? undefined : 'rounded';
}

function lossInJsonNumber(literal: string): string | undefined {
  const loss = lossOfNumber(literal);
  if (loss === 'range') return `${shortened(literal)} is beyond the range of a number`;
  if (loss === undefined) return undefined;
  return `${shortened(literal)} would be rounded to ${Number(literal)}: a text in quotation marks keeps it`;
}

/** The significant digits of a number without its sign, and the power of ten of the last one. Zero has no digits. */
function decimalOf(literal: string): { digits: string; exponent: number } | undefined {
  const match = /^[+-]?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(literal);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', power = '0'] = match;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.slice(0, lastDigit(all) + 1);
  return { digits, exponent: digits === '' ? 0 : Number(power) - fraction.length + all.length - digits.length };
}

/** The index of the last digit that is not zero. A search by /0+$/ would take seconds in many zeros. */
function lastDigit(digits: string): number {
  let index = digits.length - 1;
  while (digits[index] === '0') index -= 1;
  return index;
}

function noteName(name: string, names: Set<string> | undefined): string | undefined {
  if (names?.has(name) === true) return `The name ${shortened(name)} stands twice`;
  names?.add(name);
  return undefined;
}

function nameOf(quoted: string): string {
  return quoted.startsWith('"') ? (JSON.parse(quoted) as string) : quoted;
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`;
}

function shortened(text: string): string {
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED)}…`;
}
