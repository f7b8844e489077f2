import { ActionIcon, Combobox, Tooltip, useCombobox } from '@mantine/core';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { preview, type Suggestion } from './suggestions.js';
import { IconBraces } from '../../../ui/icons/icons.js';
import classes from './value-picker.module.css';

/** The props of a picker; `label` is the name of its field. */
export interface ValuePickerProps {
  label: string;
  suggestions: readonly Suggestion[];
  onPick: (path: string) => void;
  /** The field regains the focus. */
  onClose: () => void;
  /** A counter: each `{{` in the field increases it and opens the picker. */
  asked: number;
}

const SHOWN = 80;

/** A button that opens a searchable list of placeholders, with their values in a past run. */
export function ValuePicker({ label, suggestions, onPick, onClose, asked }: ValuePickerProps) {
  const [search, setSearch] = useState('');
  const listId = useId();
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const open = useEffectEvent(() => combobox.openDropdown());
  useEffect(() => {
    if (asked > 0) open();
  }, [asked]);
  const close = (): void => {
    combobox.closeDropdown();
    onClose();
  };
  return (
    <Combobox
      store={combobox}
      width={400}
      position="bottom-end"
      shadow="md"
      keepMounted={false}
      onOptionSubmit={(path) => {
        onPick(path);
        close();
      }}
    >
      <Combobox.Target targetType="button">
        <Tooltip label="Insert a value (or type {{)" disabled={combobox.dropdownOpened}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={`Insert a value into ${label}`}
            onClick={() => combobox.toggleDropdown()}
          >
            <IconBraces size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <div role="dialog" aria-label={`Insert a value into ${label}`}>
          <Combobox.Search
            role="combobox"
            aria-expanded={combobox.dropdownOpened}
            aria-controls={listId}
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value);
              combobox.selectFirstOption();
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' && event.key !== 'Tab') return;
              // The list is at the end of the document: the next stop would be there.
              event.preventDefault();
              close();
            }}
            placeholder="Find a value"
            aria-label="Find a value"
          />
          <Options id={listId} suggestions={suggestions} search={search} label={label} />
        </div>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Options({ id, suggestions, search, label }: OptionsProps) {
  const wanted = search.replace(/[{}]/g, '').trim().toLowerCase();
  const found = suggestions.filter(
    (suggestion) =>
      suggestion.path.toLowerCase().includes(wanted) ||
      // Elements of a list or an object have their own entries.
      (typeof suggestion.value !== 'object' && preview(suggestion).toLowerCase().includes(wanted)),
  );
  return (
    <Combobox.Options id={id} className={classes.options} aria-label={`Values for ${label}`}>
      {found.slice(0, SHOWN).map((suggestion) => (
        <Combobox.Option key={suggestion.path} value={suggestion.path} className={classes.option}>
          <code>{suggestion.path}</code>
          <span data-about={suggestion.value === undefined || undefined}>{preview(suggestion)}</span>
        </Combobox.Option>
      ))}
      {found.length === 0 && <Combobox.Empty>No value matches.</Combobox.Empty>}
      {found.length > SHOWN && <Combobox.Empty>{found.length - SHOWN} more: type to find them.</Combobox.Empty>}
    </Combobox.Options>
  );
}

interface OptionsProps {
  id: string;
  suggestions: readonly Suggestion[];
  search: string;
  label: string;
}
