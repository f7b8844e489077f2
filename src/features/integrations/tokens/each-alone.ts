/** One after the other, the rest too when one fails. @throws the first failure, at the end. */
export async function eachAlone<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** The same for whatever is due, batch after batch until one is not full. Work on an item must make it due no more. */
export async function eachDue<T>(
  batch: number,
  due: (limit: number) => Promise<readonly T[]>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const items = await due(batch);
    await eachAlone(items, work);
    if (items.length < batch) return;
  }
}
