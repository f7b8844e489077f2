/** How many characters the methods of texts go through while `work` runs: its steps, whatever the clock says. */
export function scansOf(work: () => unknown): number {
  const { indexOf, includes, split, slice, charCodeAt, replaceAll } = String.prototype;
  let scans = 0;
  Object.assign(String.prototype, {
    indexOf(this: string, wanted: string, from = 0) {
      const found = indexOf.call(this, wanted, from);
      scans += (found < 0 ? this.length : found) - from + 1;
      return found;
    },
    includes(this: string, wanted: string, from = 0) {
      scans += this.length - from;
      return includes.call(this, wanted, from);
    },
    split(this: string, separator: string, limit?: number) {
      scans += this.length;
      return split.call(this, separator as never, limit);
    },
    slice(this: string, start?: number, end?: number) {
      const part = slice.call(this, start, end);
      scans += part.length;
      return part;
    },
    charCodeAt(this: string, at: number) {
      scans += 1;
      return charCodeAt.call(this, at);
    },
    replaceAll(this: string, ...args: Parameters<typeof replaceAll>) {
      scans += this.length;
      return replaceAll.apply(this, args);
    },
  });
  try {
    work();
  } finally {
    Object.assign(String.prototype, { indexOf, includes, split, slice, charCodeAt, replaceAll });
  }
  return scans;
}
