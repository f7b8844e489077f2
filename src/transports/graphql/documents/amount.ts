/** The values of a request's variables, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A number that the document fixes, or a function that computes it from a request's variables. */
export type Amount = number | ((variables: Variables) => number);

/** The value of an amount for one request. */
export function amountIn(amount: Amount, variables: Variables): number {
  return typeof amount === 'number' ? amount : amount(variables);
}

/**
 * Combines two amounts. The result is a plain number if both are, so that only variable parts are computed per request.
 */
export function combined(a: Amount, b: Amount, how: (a: number, b: number) => number): Amount {
  if (typeof a === 'number' && typeof b === 'number') return how(a, b);
  return (variables) => how(amountIn(a, variables), amountIn(b, variables));
}

/** The same amount, computed once per set of variables although several other amounts contain it. */
export function remembered(amount: Amount): Amount {
  if (typeof amount === 'number') return amount;
  const known = new WeakMap<Variables, number>();
  return (variables) => {
    const value = known.get(variables) ?? amount(variables);
    known.set(variables, value);
    return value;
  };
}
