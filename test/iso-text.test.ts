import { isoText } from '../src/platform/iso-text.js';

describe('the text of a moment', () => {
  it("is Date's own", () => {
    const times = [
      0,
      -1,
      86_399_999,
      -86_400_000,
      951_782_400_000,
      1_735_689_599_999,
      // Years of more than four digits, and the first and last moments that a Date holds.
      253_402_300_800_000,
      -62_167_219_200_001,
      8.64e15,
      -8.64e15,
      ...Array.from({ length: 5_000 }, () => Math.round((Math.random() - 0.5) * 1e13)),
    ];
    for (const time of times) expect(isoText(new Date(time))).toBe(new Date(time).toISOString());
  });

  it('does not exist of an invalid date', () => {
    expect(() => isoText(new Date(NaN))).toThrow(RangeError);
  });
});
