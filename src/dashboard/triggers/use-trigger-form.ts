import { useState } from 'react';
import { type TriggerType } from '../graphql/enums.generated.js';
import { type RequestFault } from '../graphql/request-fault.js';
import { useFields } from '../ui/forms/use-fields.js';
import {
  configOf,
  fieldsOf,
  type FilterRow,
  filterRowsOf,
  type TriggerConfig,
  type TriggerFields,
} from './trigger-config.js';

/** The state of a trigger's form, for a new trigger (no `base`) or an existing one. */
export function useTriggerForm(type: TriggerType, fault: RequestFault | undefined, base?: TriggerConfig) {
  const [initial] = useState(() => fieldsOf(base, ownZone()));
  const fields = useFields<TriggerFields>(initial, fault);
  const [rows, setRows] = useState<FilterRow[]>(() => filterRowsOf(base));
  const config = configOf(type, fields.values, rows, base);
  return { ...fields, rows, setRows, config, type };
}

/** The props of the fields of each type. */
export type TriggerForm = ReturnType<typeof useTriggerForm>;

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
