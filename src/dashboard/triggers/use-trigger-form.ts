import { useState } from 'react';
import { type TriggerType } from '../graphql/enums.generated.js';
import { type RequestFault } from '../graphql/request-fault.js';
import { useFields } from '../ui/forms/use-fields.js';
import {
  configOf,
  fieldsOf,
  type FilterRow,
  filterRowsOf,
  lossesOf,
  type TriggerConfig,
  type TriggerFields,
} from './trigger-config.js';

/**
 * The state of a trigger's form, for a new trigger (no `base`) or an existing one. `refused` is the fault that the service
 * found; `check` finds those that it cannot see.
 */
export function useTriggerForm(type: TriggerType, refused: RequestFault | undefined, base?: TriggerConfig) {
  const [initial] = useState(() => fieldsOf(base, ownZone()));
  const [own, setOwn] = useState<RequestFault>();
  const fault = own ?? refused;
  const fields = useFields<TriggerFields>(initial, fault);
  const [rows, setRows] = useState<FilterRow[]>(() => filterRowsOf(base));
  const config = configOf(type, fields.values, rows, base);
  /** `known` are faults by field. @returns whether the form may be sent. */
  const check = (known: Record<string, string> = {}): boolean => {
    const found = { ...known, ...(type === 'APP_EVENT' && lossesOf(rows)) };
    const isFit = Object.keys(found).length === 0;
    // A new object each time, so that the focus moves to the field each time.
    setOwn(
      isFit
        ? undefined
        : { message: 'Check the fields.', code: 'VALIDATION_ERROR', fields: found, requestId: undefined },
    );
    return isFit;
  };
  return { ...fields, rows, setRows, config, type, fault, check };
}

/** The props of the fields of each type. */
export type TriggerForm = ReturnType<typeof useTriggerForm>;

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
