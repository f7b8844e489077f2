import { Select } from '@mantine/core';
import { type TriggerType } from '../../graphql/enums.generated.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';

const TYPES = Object.keys(TRIGGER_TYPES) as TriggerType[];

/** A filter of trigger types, stored in the URL (`?type=app_event`); the first choice is all. */
export function TriggerTypeFilter() {
  const [chosen, choose] = useUrlValue('type');
  return (
    <Select
      aria-label="Type"
      data={[
        { value: '', label: 'All types' },
        ...TYPES.map((type) => ({ value: type.toLowerCase(), label: TRIGGER_TYPES[type].label })),
      ]}
      value={TYPES.some((type) => type.toLowerCase() === chosen) ? chosen : ''}
      onChange={(value) => choose(value ?? '')}
    />
  );
}

/** The type in the URL; undefined for all, and for an unknown value. */
export function useTriggerTypeFilter(): TriggerType | undefined {
  const [chosen] = useUrlValue('type');
  return TYPES.find((type) => type.toLowerCase() === chosen);
}
