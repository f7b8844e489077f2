import { useState } from 'react';
import { type RequestFault } from '../../graphql/request-fault.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { type CatalogEntryQuery } from '../catalog.generated.js';

/** An application as the page for connecting it knows it. */
export type ConnectableApp = CatalogEntryQuery['integrationType'];

/** A value that the application needs to connect. */
export type Parameter = ConnectableApp['parameters'][number];

/**
 * The fields of a new connection: `label`, `api_key` and one per parameter. `check` validates the parameters before the
 * request, so that no window opens in vain, and shows faults at the fields.
 */
export function useConnectForm({ name, parameters }: ConnectableApp, fault: RequestFault | undefined) {
  const [misfit, setMisfit] = useState<RequestFault>();
  const shown = misfit ?? fault;
  const initial: Record<string, string> = { label: name, api_key: '' };
  for (const parameter of parameters) initial[fieldOf(parameter)] = parameter.default ?? '';
  const fields = useFields(initial, shown);
  const valueOf = (parameter: Parameter): string => (fields.values[fieldOf(parameter)] ?? '').trim();
  const check = (): boolean => {
    const faults = parameters.flatMap((parameter) => {
      const message = misfitOf(parameter, valueOf(parameter));
      return message === undefined ? [] : [[fieldOf(parameter), message] as const];
    });
    const found = Object.fromEntries(faults);
    const fits = faults.length === 0;
    setMisfit(fits ? undefined : { message: '', code: 'VALIDATION_ERROR', fields: found, requestId: undefined });
    return fits;
  };
  const input = () => ({
    label: fields.values.label?.trim() || name,
    parameters: parameters.length === 0 ? undefined : Object.fromEntries(parameters.map((p) => [p.name, valueOf(p)])),
  });
  return { ...fields, fault: shown, check, input };
}

/** The name of a parameter's field in the service's validation errors. */
export function fieldOf({ name }: Pick<Parameter, 'name'>): string {
  return `parameters.${name}`;
}

function misfitOf({ pattern }: Parameter, value: string): string | undefined {
  if (value === '') return 'must not be empty';
  return new RegExp(`^(?:${pattern})$`, 'u').test(value)
    ? undefined
    : 'is invalid: enter only the part that the line above names';
}
