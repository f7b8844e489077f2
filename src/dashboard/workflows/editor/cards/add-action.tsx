import { Button, Menu } from '@mantine/core';
import { type ActionKind } from '../../../graphql/enums.generated.js';
import classes from './add-action.module.css';
import { KINDS } from '../kinds/index.js';
import { IconPlus } from '../../../ui/icons/icons.js';

/** The least height of the menu in pixels: with less room on this side, it opens on the other one. */
const LEAST = 160;

/** A menu of the kinds, each with a one-line description. */
export function AddAction({ onAdd, primary = false }: { onAdd: (kind: ActionKind) => void; primary?: boolean }) {
  return (
    <Menu
      width={360}
      position="bottom-start"
      returnFocus={false}
      withinPortal={false}
      middlewares={{ flip: true, shift: true, size: { padding: 8, apply: fit } }}
    >
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

/** Makes the menu as high as the screen has room for; the rest is reached by scrolling. */
function fit({ availableHeight, elements }: { availableHeight: number; elements: { floating: HTMLElement } }): void {
  elements.floating.style.maxHeight = `${Math.max(LEAST, availableHeight)}px`;
}
