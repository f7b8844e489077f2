import { type ComboboxItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { SearchSelect } from '../../ui/forms/search-select.js';
import { WorkflowChoicesDocument, WorkflowNameDocument } from '../workflow-choices.generated.js';

/** A search field for one workflow; with `all` the first choice is every workflow. */
export function WorkflowSelect({ value, onChange, all, ...rest }: WorkflowSelectProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [{ data: chosen }] = useQuery({ query: WorkflowNameDocument, variables: { id: value }, pause: value === '' });
  const name = chosen?.workflow.id === value ? chosen.workflow.name : undefined;
  const isName = search === name || search === all;
  const [{ data, fetching }] = useQuery({
    query: WorkflowChoicesDocument,
    variables: { search: search === '' || isName ? undefined : search },
  });
  const isSearching = fetching || typed.trim() !== search;
  const found = (data?.workflows.items ?? []).map(({ id, name: label }) => ({ value: id, label }));
  const isFound = (id: string) => found.some((choice) => choice.value === id);
  const present = name === undefined || isFound(value) ? [] : [{ value, label: name }];
  return (
    <SearchSelect
      {...rest}
      data={[...(all === undefined ? [] : [{ value: '', label: all }]), ...present, ...found]}
      // The service also finds descriptions.
      filter={({ options, search: text }) =>
        (options as ComboboxItem[]).filter(
          ({ value: id, label }) =>
            label.toLowerCase().includes(text.trim().toLowerCase()) || (!isSearching && isFound(id)),
        )
      }
      value={all === undefined && value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      onSearchChange={setTyped}
      nothingFoundMessage={isSearching ? 'Searching…' : 'No workflow has this in its name or description.'}
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
