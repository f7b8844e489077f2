import { Select, TextInput } from '@mantine/core';
import { useQuery } from 'urql';
import { CustomPeriod } from '../../runs/list/custom-period.js';
import { CUSTOM, PERIODS } from '../../runs/list/period.js';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { useUrlValues } from '../../ui/tables/use-url-value.js';
import { AuditActorsDocument } from './audit-log.generated.js';
import { AUDIT_WORDS } from './audit-words.js';

const ACTIONS = [
  { value: '', label: 'All actions' },
  ...Object.entries(AUDIT_WORDS).map(([value, label]) => ({ value, label })),
];
const TIMES = [
  { value: '', label: 'Any time' },
  ...PERIODS.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM, label: 'Custom range…' },
];

/** The filters of the audit log. */
export function AuditFilterBar() {
  const { valueOf, set } = useUrlValues();
  const [{ data }] = useQuery({ query: AuditActorsDocument });
  const users = data?.users.items.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const keys = data?.apiKeys.items.map(({ id, label }) => ({ value: id, label: `API key “${label}”` })) ?? [];
  const actors = [{ value: '', label: 'Anyone' }, ...users, ...keys];
  const actor = valueOf('actor');
  return (
    <>
      <FilterBar>
        <Select
          aria-label="Action"
          data={ACTIONS}
          value={valueOf('action')}
          onChange={(action) => set({ action: action ?? '' })}
          searchable
        />
        <Select
          aria-label="Changed by"
          data={actors.some(({ value }) => value === actor) ? actors : [...actors, { value: actor, label: actor }]}
          value={actor}
          onChange={(value) => set({ actor: value ?? '' })}
          searchable
        />
        <TextInput
          aria-label="Id of the object"
          placeholder="Id of the object"
          value={valueOf('resource')}
          onChange={(event) => set({ resource: event.currentTarget.value })}
        />
        <Select
          aria-label="Time"
          data={TIMES}
          value={valueOf('time')}
          onChange={(time) => set({ time: time ?? '', from: '', to: '' })}
        />
      </FilterBar>
      {valueOf('time') === CUSTOM && <CustomPeriod />}
    </>
  );
}
