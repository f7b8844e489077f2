import { type ChangeEvent, useState } from 'react';
import { type RequestFault } from '../../graphql/request-fault.js';
import { sentence } from '../sentence.js';

/** The texts of a form's fields, by name. */
export type FieldValues = Record<string, string>;

/** The props of a Mantine input for one field. */
export interface FieldProps {
  name: string;
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  error: string | undefined;
  /** Mantine's password field does not set it. */
  'aria-invalid'?: true;
}

/**
 * The state of a form: `<TextInput {...form.field('name')} />` shows the service's fault for `input.name` (or `name`)
 * beside the field, until the field is changed. Unedited fields follow `initial`.
 */
export function useFields<V extends FieldValues>(initial: V, fault: RequestFault | undefined) {
  const [edits, setEdits] = useState<Partial<V>>({});
  const values: V = { ...initial, ...edits };
  const [mended, setMended] = useState<{ fault: RequestFault | undefined; names: readonly string[] }>();
  const changed = mended?.fault === fault ? (mended?.names ?? []) : [];
  const set = <K extends keyof V & string>(name: K, value: V[K]): void => {
    setEdits((before) => ({ ...before, [name]: value }));
    setMended({ fault, names: [...changed, name] });
  };
  const errorOf = (name: string): string | undefined => {
    const said = fault?.fields[`input.${name}`] ?? fault?.fields[name];
    return said === undefined || changed.includes(name) ? undefined : sentence(said);
  };
  const field = (name: keyof V & string): FieldProps => {
    const error = errorOf(name);
    return {
      name,
      value: values[name] ?? '',
      onChange: (event) => set(name, event.currentTarget.value as V[typeof name]),
      error,
      ...(error !== undefined && { 'aria-invalid': true }),
    };
  };
  const forgetEdits = (): void => setEdits({});
  return { values, set, field, errorOf, forgetEdits };
}
