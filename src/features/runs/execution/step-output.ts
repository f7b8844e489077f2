import { type RunText } from './claimed-run.js';

/** What is kept of a step's output, in bytes of JSON. */
export const MAX_OUTPUT_BYTES = 262_144;

/**
 * The output as it is kept and as later steps read it. Of one that is too large its longest part is cut, `body` where
 * there is one, to a text; `truncated` then says so. Null for one that is null.
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

/** The longest beginning of a text that takes at most so many bytes as JSON. */
function cut(text: string, maxBytes: number): string {
  let [low, high] = [0, Math.min(text.length, maxBytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed();
}
