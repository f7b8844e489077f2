import { type RunText } from './claimed-run.js';

/** The maximum size of a stored step output, in bytes of JSON. */
export const MAX_OUTPUT_BYTES = 262_144;
/** The maximum size of what is kept beside the body of an output that is cut, in bytes of JSON. */
const MAX_BESIDE_BYTES = 32_768;

/**
 * The output as it is stored and as later steps read it; null if it is null. If it is too large, `body` (or the whole
 * output if it has none) is cut to a text, and `truncated` is true. Other short parts are kept.
 */
export function keptOutput(output: unknown): RunText | null {
  if (!hasLongText(output)) {
    const whole = JSON.stringify(output ?? null);
    if (whole === 'null') return null;
    const bytes = Buffer.byteLength(whole);
    if (bytes <= MAX_OUTPUT_BYTES) return { text: whole, bytes };
  }
  const text = JSON.stringify(shortened(output));
  return { text, bytes: Buffer.byteLength(text) };
}

/** Whether the output is too large by its body alone: a text of megabytes is cut before it is written. */
function hasLongText(output: unknown): boolean {
  const { body } = (output ?? {}) as { body?: unknown };
  return typeof body === 'string' && body.length > MAX_OUTPUT_BYTES;
}

function shortened(output: unknown): object {
  const { body, ...others } = (output ?? {}) as Record<string, unknown>;
  const whole = typeof body === 'string' ? body : JSON.stringify(body ?? output);
  const kept = { ...(body !== undefined && shortOf(others)), truncated: true };
  const room = MAX_OUTPUT_BYTES - Buffer.byteLength(JSON.stringify({ ...kept, body: '' }));
  return { ...kept, body: cut(whole, room) };
}

/** The first parts that are short enough together. */
function shortOf(parts: Readonly<Record<string, unknown>>): object {
  let left = MAX_BESIDE_BYTES;
  const short = Object.entries(parts).filter(([name, value]) => {
    const bytes = Buffer.byteLength(JSON.stringify({ [name]: value }));
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return Object.fromEntries(short);
}

/**
 * The longest prefix of a text whose JSON has at most `maxBytes` bytes between its quotes. Each part of it is written about once: of what
 * is known to fit, only the bytes are kept.
 */
function cut(text: string, maxBytes: number): string {
  let [low, high, left] = [0, Math.min(text.length, maxBytes), maxBytes];
  while (low < high) {
    let middle = Math.ceil((low + high) / 2);
    // Not between the halves of one character.
    if (text.codePointAt(middle - 1)! > 0xffff) middle += middle < high ? 1 : -1;
    if (middle === low) break;
    const bytes = Buffer.byteLength(JSON.stringify(text.slice(low, middle))) - 2;
    if (bytes <= left) {
      low = middle;
      left -= bytes;
    } else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed();
}
