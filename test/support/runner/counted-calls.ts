/** The number of calls of a method while some work runs. */
export function countedCalls<K extends string>(
  owner: Record<K, (...args: never[]) => unknown>,
  name: K,
  work: () => unknown,
): number {
  const original = owner[name];
  let calls = 0;
  owner[name] = function (this: unknown, ...args: never[]) {
    calls += 1;
    return original.apply(this, args);
  };
  try {
    work();
  } finally {
    owner[name] = original;
  }
  return calls;
}
