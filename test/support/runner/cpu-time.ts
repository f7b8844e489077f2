/**
 * The CPU time of this process for some work, in milliseconds: it tells linear work from quadratic, without the
 * influence of other processes.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
