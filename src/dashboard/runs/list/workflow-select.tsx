import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { WorkflowChoicesDocument, WorkflowNameDocument } from '../workflow-choices.generated.js';

/** A search field for one workflow; with `all` the first choice is every workflow. */
export function WorkflowSelect({ value, onChange, all, ...rest }: WorkflowSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [{ data: chosen }] = useQuery({ query: WorkflowNameDocument, variables: { id: value }, pause: value === '' });
  const name = chosen?.workflow.name;
  const isName = search === name || search === all;
  const [{ data }] = useQuery({
    query: WorkflowChoicesDocument,
    variables: { search: search === '' || isName ? undefined : search },
  });
  const found = (data?.workflows.items ?? []).map(({ id, name: label }) => ({ value: id, label }));
  const present = value === '' || found.some((choice) => choice.value === value) ? [] : [{ value, label: name ?? '…' }];
  return (
    <Select
      {...rest}
      searchable
      // The service has searched already.
      filter={({ options }) => options}
      data={[...(all === undefined ? [] : [{ value: '', label: all }]), ...present, ...found]}
      value={all === undefined && value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      onSearchChange={setTyped}
      nothingFoundMessage="No workflow has this in its name."
    />
  );
}

/** `value` is empty for none. */
export interface WorkflowSelectProps {
  value: string;
  onChange: (id: string) => void;
  all?: string;
  label?: string;
  'aria-label'?: string;
  description?: string;
  placeholder?: string;
  error?: string;
  required?: boolean;
  name?: string;
}
