/** Round numbers from 0 to at least `most`, four steps of 1, 2 or 5 times a power of ten at most; runs are whole. */
export function ticksFor(most: number): readonly number[] {
  const least = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least)!,
  );
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, index) => index * step);
}
