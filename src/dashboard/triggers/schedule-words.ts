/** A schedule with its time zone, e.g. `At 09:00, Monday through Friday (Europe/Berlin)`. */
export function scheduleWords(config: Readonly<Record<string, unknown>>, inWords: string | null): string {
  const { timezone } = config;
  return `${inWords ?? 'A schedule'} (${typeof timezone === 'string' ? timezone : 'UTC'})`;
}
