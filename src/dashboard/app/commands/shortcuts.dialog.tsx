import { Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import { areSingleKeysOn, setSingleKeys } from '../../ui/single-keys.js';
import { NAVIGATION } from '../navigation.js';
import classes from './commands.module.css';
import { COMMAND, Keys } from './keys.js';

interface Shortcut {
  keys: readonly string[];
  what: string;
}

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [COMMAND, 'K'], what: 'Search and commands' },
      { keys: ['?'], what: 'This list' },
      { keys: ['/'], what: 'Search the list on the page' },
      { keys: ['Esc'], what: 'Close a dialog or a menu' },
    ],
  },
  {
    title: 'Editor of actions',
    shortcuts: [
      { keys: [COMMAND, 'S'], what: 'Save the actions' },
      { keys: ['{{'], what: 'Insert a value into a field' },
    ],
  },
  {
    title: 'Pages',
    shortcuts: NAVIGATION.flatMap(({ items }) =>
      items.map(({ key, label }) => ({ keys: ['G', key.toUpperCase()], what: label })),
    ),
  },
];

/** All shortcuts, and the choice to turn off those without Ctrl. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useState(areSingleKeysOn);
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className={classes.groups}>
        {GROUPS.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(({ keys, what }) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Use shortcuts of single keys in this browser"
        description="Turn them off if you control the browser by voice."
        checked={on}
        onChange={({ currentTarget: { checked } }) => {
          setOn(checked);
          setSingleKeys(checked);
        }}
      />
    </Modal>
  );
}
