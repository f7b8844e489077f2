/**
 * Does the work for all items, eight at a time: hundreds of requests at once would wait so long for the database on a
 * busy machine that the service gives up on them. @returns the results in the order of the items.
 */
export async function aFewAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}
