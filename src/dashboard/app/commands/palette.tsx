import { Combobox, Modal, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useQuery } from 'urql';
import classes from './commands.module.css';
import { type Act, entriesFor } from './entries.js';
import { PaletteRunsDocument, PaletteSearchDocument } from './palette.generated.js';
import { IconSearch } from '../../ui/icons/icons.js';

const PAUSE = 200;

/** Opened by Ctrl+K: finds pages, workflows, connections and runs, and offers commands. */
export function Palette({ opened, onClose, onAct, times, takeLetters }: PaletteProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose} closeOnClickOutside size="lg" yOffset="clamp(16px, 8dvh, 96px)">
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content radius="xl" aria-label="Search and commands">
        <Modal.Body p={0}>
          <Search
            key={times}
            takeLetters={takeLetters}
            onAct={(act) => {
              onClose();
              onAct(act);
            }}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A combobox after the ARIA Authoring Practices: the focus stays in the field, which names the active option. */
function Search({ onAct, takeLetters }: Pick<PaletteProps, 'onAct' | 'takeLetters'>) {
  const [text, setText] = useState('');
  const { groups, isSearching } = useEntries(text);
  const rows = groups.flatMap(({ entries }) => entries);
  const [chosen, setChosen] = useState<string>();
  const active = rows.find(({ value }) => value === chosen) ?? rows[0];
  const id = useId();
  const idOf = (value: string): string => `${id}-${value}`;
  const activeId = active === undefined ? undefined : idOf(active.value);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const move = (by: 1 | -1): void => {
    if (active !== undefined) setChosen(rows.at((rows.indexOf(active) + by) % rows.length)?.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && active !== undefined) onAct(active.act);
    else return;
    event.preventDefault();
  };
  return (
    <Combobox
      store={useCombobox({ opened: true })}
      onOptionSubmit={(value) => onAct(rows.find((row) => row.value === value)!.act)}
    >
      <TextInput
        role="combobox"
        aria-label="Search and commands"
        aria-expanded
        aria-haspopup="listbox"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Search pages, workflows, connections and runs"
        size="md"
        variant="unstyled"
        classNames={{ root: classes.field, input: classes.input }}
        leftSection={<IconSearch size={17} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(undefined);
        }}
        onFocus={() => {
          const letters = takeLetters();
          setText((before) => before + letters);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Combobox.Options id={id} className={classes.options} aria-label="Results">
        {groups.map(({ title, entries }) => (
          <Combobox.Group key={title} label={title}>
            {entries.map(({ value, label, hint, icon: Icon }) => (
              <Combobox.Option
                key={value}
                id={idOf(value)}
                value={value}
                selected={value === active?.value}
                aria-selected={value === active?.value}
                className={classes.option}
              >
                <Icon size={16} stroke={1.7} aria-hidden />
                <span className={classes.label}>{label}</span>
                {hint !== undefined && <span className={classes.hint}>{hint}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {rows.length === 0 && <Combobox.Empty>{isSearching ? 'Searching…' : 'Nothing matches.'}</Combobox.Empty>}
      </Combobox.Options>
      <VisuallyHidden role="status">
        {isSearching ? '' : rows.length === 1 ? '1 result' : `${rows.length} results`}
      </VisuallyHidden>
    </Combobox>
  );
}

/** The rows for a text, of which the service is asked a moment after the last key. */
function useEntries(text: string) {
  const search = useLater(text.trim());
  const [{ data: found, fetching }] = useQuery({
    query: PaletteSearchDocument,
    variables: { search },
    pause: search === '',
  });
  const [{ data: newest }] = useQuery({ query: PaletteRunsDocument });
  const isSearching = fetching || search !== text.trim();
  const groups = entriesFor(text, { found: search === '' ? undefined : found, isSearching, newest });
  return { groups, isSearching };
}

/** The value as it was a moment ago, so that not each key asks the service. */
function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

/**
 * `onAct` is called with what the chosen entry does, after `onClose`. `times` counts the openings: each begins with an
 * empty field, also while the palette still closes. `takeLetters` returns what was typed before the field had the focus.
 */
interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  onAct: (act: Act) => void;
  times: number;
  takeLetters: () => string;
}
