import { type ComboboxItem, Select, type SelectProps } from '@mantine/core';
import { type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A select that searches: what the user types replaces the chosen text, instead of continuing it. */
export function SearchSelect({ data, value, onChange, onSearchChange, ...rest }: SearchSelectProps) {
  const input = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState('');
  const [chosen, choose] = useChosen(value);
  const labelOf = (id: string | null) => data.find((choice) => choice.value === id)?.label ?? '';
  const searchFor = (text: string): void => {
    setSearch(text);
    onSearchChange?.(text);
  };
  // After a click the browser would place the caret. A search that has begun keeps it, for corrections.
  const selectChosen = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => {
    if (currentTarget.value === labelOf(chosen)) currentTarget.select();
  };
  return (
    <Select
      {...rest}
      ref={input}
      data={data}
      value={chosen}
      onChange={(id, option) => {
        choose(id);
        onChange(id, option);
      }}
      searchable
      searchValue={search}
      onSearchChange={searchFor}
      onFocus={selectChosen}
      onClick={selectChosen}
      onOptionSubmit={(id) => {
        // The field keeps the focus: the next text is a new search.
        flushSync(() => searchFor(labelOf(id)));
        input.current?.select();
      }}
    />
  );
}

/** What the user has chosen last. Without it a value that follows late, e.g. by the URL, would replace a new search. */
function useChosen(value: string | null) {
  const [chosen, choose] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    choose(value);
  }
  return [chosen, choose] as const;
}

/** `value` is null for none; `onSearchChange` also receives the label of what is chosen. */
export interface SearchSelectProps extends Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchable' | 'searchValue' | 'onFocus' | 'onClick' | 'onOptionSubmit'
> {
  data: ComboboxItem[];
  value: string | null;
  onChange: NonNullable<SelectProps['onChange']>;
  nothingFoundMessage: string;
}
