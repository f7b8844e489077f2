import { scheduleWords } from './schedule-words.js';
import { textIn } from './trigger-config.js';
import { type TriggerInListFragment } from './triggers.generated.js';

/** The properties of a trigger that its description uses. */
type Told = Pick<TriggerInListFragment, 'type' | 'config' | 'scheduleInWords'>;

/** One line, e.g. `At 09:00, Monday through Friday (Europe/Berlin)`; `nameOf` returns a connection's name by id. */
export function triggerInWords(
  { type, config, scheduleInWords }: Told,
  nameOf: (id: string) => string | undefined,
): string {
  if (type === 'MANUAL') return 'When a user fires it';
  if (type === 'WEBHOOK')
    return config.secret === undefined ? 'POST to its webhook URL' : 'Signed POST to its webhook URL';
  if (type === 'SCHEDULE') return scheduleWords(config, scheduleInWords);
  const integration = textIn(config, 'integration_id');
  const source = integration === undefined ? 'any connection' : (nameOf(integration) ?? 'a connection');
  const filters = Object.keys(config.filter ?? {}).length;
  return `“${textIn(config, 'event') ?? ''}” of ${source}${filters === 0 ? '' : ', filtered'}`;
}

/** The name of a trigger, or its description if it has none. */
export function triggerTitle(
  trigger: Told & Pick<TriggerInListFragment, 'name'>,
  nameOf: (id: string) => string | undefined,
): string {
  return trigger.name ?? triggerInWords(trigger, nameOf);
}
