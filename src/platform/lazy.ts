/** A function that makes its value at the first call and returns the same one later. After an error it tries again. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
