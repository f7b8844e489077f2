import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keptOutput, MAX_OUTPUT_BYTES } from '../../../src/features/runs/execution/step-output.js';

/** The characters that JSON.stringify writes while `work` runs. */
function writtenBy(work: () => unknown): number {
  const { stringify } = JSON;
  let written = 0;
  JSON.stringify = ((value: unknown) => {
    const text = stringify(value);
    written += text.length;
    return text;
  }) as typeof stringify;
  try {
    work();
  } finally {
    JSON.stringify = stringify;
  }
  return written;
}

describe('the output of a step', () => {
  it.each([
    ['control characters', '\u0001'],
    ['letters', 'a'],
    ['characters of four bytes', '😀'],
    ['quotes', '"'],
  ])('that is too large is cut after a look at about as much as is kept: %s', (_, character) => {
    const body = character.repeat(5 * 1_048_576);
    // What is kept, once for its length and once for itself; a control character may take six characters.
    expect(writtenBy(() => keptOutput({ status: 200, headers: {}, body }))).toBeLessThanOrEqual(8 * MAX_OUTPUT_BYTES);
  });

  it('keeps the longest beginning of a body that fits', () => {
    const unit = fc.constantFrom('a', '"', '\\', '\u0001', 'é', '€', '😀', 'a😀');
    const units = fc.array(unit, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(units, fc.nat(9), (repeated, before) => {
        const body = 'x'.repeat(before) + repeated.join('').repeat(MAX_OUTPUT_BYTES);
        const kept = keptOutput({ status: 200, headers: { a: 'b' }, body })!;
        const output = JSON.parse(kept.text!) as { body: string };
        expect(output).toMatchObject({ status: 200, headers: { a: 'b' }, truncated: true });
        expect(kept.bytes).toBeLessThanOrEqual(MAX_OUTPUT_BYTES);
        expect(kept.bytes).toBe(Buffer.byteLength(kept.text!));
        expect(body.startsWith(output.body)).toBe(true);
        const next = String.fromCodePoint(body.codePointAt(output.body.length)!);
        expect(Buffer.byteLength(JSON.stringify({ ...output, body: output.body + next }))).toBeGreaterThan(
          MAX_OUTPUT_BYTES,
        );
      }),
      { numRuns: 30 },
    );
  });
});
