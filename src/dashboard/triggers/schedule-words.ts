import { type TriggerConfig } from './trigger-config.js';

/** A schedule with its time zone, e.g. `At 09:00, Monday through Friday (Europe/Berlin)`. */
export function scheduleWords(config: TriggerConfig, inWords: string | null): string {
  const { timezone } = config;
  return `${inWords ?? 'A schedule'} (${typeof timezone === 'string' ? timezone : 'UTC'})`;
}
