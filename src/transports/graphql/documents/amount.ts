/** The values of a request's variables, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/** A number that a document fixes, or that follows from the variables of a request. */
export type Amount = number | ((variables: Variables) => number);

/** The number of an amount in one request. */
export function amountIn(amount: Amount, variables: Variables): number {
  return typeof amount === 'number' ? amount : amount(variables);
}

/** Two amounts as one; a plain number where both are, so that a request computes only what its variables decide. */
export function combined(a: Amount, b: Amount, how: (a: number, b: number) => number): Amount {
  if (typeof a === 'number' && typeof b === 'number') return how(a, b);
  return (variables) => how(amountIn(a, variables), amountIn(b, variables));
}

/** The same amount, worked out once for the variables of a request, however often it is part of another. */
export function remembered(amount: Amount): Amount {
  if (typeof amount === 'number') return amount;
  const known = new WeakMap<Variables, number>();
  return (variables) => {
    const value = known.get(variables) ?? amount(variables);
    known.set(variables, value);
    return value;
  };
}
