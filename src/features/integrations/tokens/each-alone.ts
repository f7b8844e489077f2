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

/**
 * Works on items in this many slots. A slot that becomes free is filled at once, so that a slow item delays no others.
 * `take` returns at most as many items as slots are free, and none twice. Ends when it returns none while no item is
 * under way. @throws the first failure, at the end.
 */
export async function inSlots<T>(
  slots: number,
  take: (free: number) => Promise<readonly T[]>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const fail = (error: unknown): [] => {
    failures.push(error);
    return [];
  };
  for (;;) {
    for (const item of await take(slots - underWay.size).catch(fail)) {
      const done = work(item)
        .catch(fail)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
  }
  if (failures.length > 0) throw failures[0];
}
