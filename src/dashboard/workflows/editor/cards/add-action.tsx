import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ActionKind } from '../../../graphql/enums.generated.js';
import classes from './add-action.module.css';
import { KINDS } from '../kinds/index.js';

/** A menu of the five kinds, each with a one-line description. */
export function AddAction({ onAdd, primary = false }: { onAdd: (kind: ActionKind) => void; primary?: boolean }) {
  return (
    <Menu width={360} position="bottom-start" returnFocus={false} withinPortal={false}>
      <Menu.Target>
        <Button variant={primary ? 'filled' : 'default'} leftSection={<IconPlus size={16} aria-hidden />}>
          Add action
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {KINDS.map(({ kind, label, explains, icon: Icon }) => (
          <Menu.Item
            key={kind}
            leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
            onClick={() => onAdd(kind)}
            className={classes.item}
          >
            <span className={classes.label}>{label}</span>
            <span className={classes.explains}>{explains}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
