/** A share of a number, e.g. `98.7%`. It is never rounded to 0% or 100%. */
export function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (part < whole && percent > 99.9) return '> 99.9%';
  if (part > 0 && percent < 0.1) return '< 0.1%';
  return `${percent.toLocaleString('en', { maximumFractionDigits: 1 })}%`;
}
