/**
 * Milliseconds of processor time that this process takes for some work: it tells linear work from quadratic, and what else
 * the machine does is not in it.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
