type Test = (found: unknown) => boolean;

/**
 * A test for equality with this JSON value; numbers compare by `Object.is`. A comparison takes time linear in the
 * tested value, however large this one is: members are compared only if both have the same number of them.
 */
export function equalTo(value: unknown): Test {
  if (typeof value !== 'object' || value === null) return (found) => Object.is(found, value);
  return Array.isArray(value) ? equalToList(value) : equalToObject(value as Record<string, unknown>);
}

function equalToList(value: readonly unknown[]): Test {
  let tests: readonly Test[] | undefined;
  return (found) => {
    if (!Array.isArray(found) || found.length !== value.length) return false;
    tests ??= value.map(equalTo);
    return tests.every((test, index) => test(found[index]));
  };
}

function equalToObject(value: Readonly<Record<string, unknown>>): Test {
  const names = Object.keys(value);
  let tests: readonly Test[] | undefined;
  return (found) => {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
    if (Object.keys(found).length !== names.length) return false;
    tests ??= names.map((name) => equalTo(value[name]));
    return names.every((name, index) => Object.hasOwn(found, name) && tests![index]!((found as typeof value)[name]));
  };
}
