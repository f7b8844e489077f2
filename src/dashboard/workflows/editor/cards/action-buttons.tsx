import { ActionIcon, Tooltip } from '@mantine/core';
import { type ActionCardProps } from './action-card-props.js';
import { type Icon } from '../../../ui/icons/icon.js';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '../../../ui/icons/icons.js';
import classes from './action-card.module.css';

/** Move, duplicate, remove. Unavailable buttons stay in place, so that the focus is not lost. */
export function ActionButtons({ action, actions, index, change, onMove, onRemove }: ActionCardProps) {
  const name = action.name || `action ${index + 1}`;
  return (
    <div className={classes.buttons}>
      <CardButton icon={IconArrowUp} label={`Move ${name} up`} off={index === 0} onClick={() => onMove(-1)} move="up" />
      <CardButton
        icon={IconArrowDown}
        label={`Move ${name} down`}
        off={index === actions.length - 1}
        onClick={() => onMove(1)}
        move="down"
      />
      <CardButton
        icon={IconCopy}
        label={`Duplicate ${name}`}
        onClick={() => change({ type: 'duplicate', key: action.key })}
      />
      <CardButton icon={IconTrash} label={`Remove ${name}`} onClick={onRemove} />
    </div>
  );
}

function CardButton({ icon: Icon, label, off = false, onClick, move }: CardButtonProps) {
  return (
    <Tooltip label={label.split(' ')[0] === 'Move' ? `Move ${move}` : label.split(' ')[0]}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={label}
        aria-disabled={off}
        data-disabled={off || undefined}
        data-move={move}
        onClick={off ? undefined : onClick}
      >
        <Icon size={16} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface CardButtonProps {
  icon: Icon;
  label: string;
  off?: boolean;
  onClick: () => void;
  move?: 'up' | 'down';
}
