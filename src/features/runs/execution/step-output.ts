import { type RunText } from './claimed-run.js';

/** The maximum size of a stored step output, in bytes of JSON. */
export const MAX_OUTPUT_BYTES = 262_144;

/**
 * The output as it is stored and as later steps read it; null if it is null. If it is too large, `body` (or the whole
 * output if it has none) is cut to a text, and `truncated` is true.
 */
export function keptOutput(output: unknown): RunText | null {
  const whole = JSON.stringify(output ?? null);
  if (whole === 'null') return null;
  const bytes = Buffer.byteLength(whole);
  if (bytes <= MAX_OUTPUT_BYTES) return { text: whole, bytes };
  const text = JSON.stringify(shortened(output));
  return { text, bytes: Buffer.byteLength(text) };
}

function shortened(output: unknown): object {
  const { status, body } = (output ?? {}) as { status?: unknown; body?: unknown };
  const whole = typeof body === 'string' ? body : JSON.stringify(body ?? output);
  return { ...(status !== undefined && { status }), body: cut(whole, MAX_OUTPUT_BYTES - 100), truncated: true };
}

/** The longest prefix of a text whose JSON has at most `maxBytes` bytes. */
function cut(text: string, maxBytes: number): string {
  let [low, high] = [0, Math.min(text.length, maxBytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed();
}
