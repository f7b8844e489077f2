/** The fewest values that are written as a range. */
const MIN_RANGE = 3;

/**
 * The shortest list of some ascending values as a cron field: each value once, neighbours as a range (`1-5`), equal
 * distances as a step (`0-45/15`). A whole expression of such fields has at most 250 characters.
 */
export function canonicalList(values: readonly number[]): string {
  const [first, second] = values;
  const last = values.at(-1);
  const step = second! - first!;
  const isEven = values.every((value, index) => value === first! + index * step);
  if (values.length >= MIN_RANGE && isEven && step > 1) return `${first}-${last}/${step}`;
  return runsOf(values).map(spelled).join(',');
}

function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run?.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs;
}

function spelled(run: readonly number[]): string {
  return run.length < MIN_RANGE ? run.join(',') : `${run[0]}-${run.at(-1)}`;
}
