/** Works on items one after the other, and continues if one fails. @throws the first failure, at the end. */
export async function eachAlone<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** As `eachAlone`, batch by batch until a batch is not full. After the work on an item it must not be due any more. */
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
