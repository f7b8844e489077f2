import { Button, Menu } from '@mantine/core';
import { notifyDone } from '../../ui/pages/notify.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFocusBack } from '../../ui/use-focus-back.js';
import { MOVES, type StatusMove } from '../../ui/status-moves.js';
import classes from './status-menu.module.css';
import { type WorkflowOfPage } from '../workflow-context.js';
import { UpdateWorkflowDocument } from '../workflow.generated.js';
import { IconChevronDown } from '../../ui/icons/icons.js';

/** The status, and the possible changes of it, each with its consequences. */
export function StatusMenu({ workflow: { id, status } }: { workflow: WorkflowOfPage }) {
  const { run, running } = useAction(UpdateWorkflowDocument);
  const target = useFocusBack(running);
  const move = async ({ to, done }: StatusMove) => {
    const moved = await run({ id, input: { status: to } });
    if (moved !== undefined) notifyDone(done);
  };
  return (
    <Menu width={340} withinPortal={false}>
      <Menu.Target>
        <Button
          ref={target}
          variant="default"
          loading={running}
          rightSection={<IconChevronDown size={15} aria-hidden />}
          className={classes.target}
          aria-label={`Status: ${status.toLowerCase()}. Change it`}
        >
          <StatusBadge status={status} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        {MOVES[status].map((offered) => (
          <Menu.Item
            key={offered.to}
            leftSection={<offered.icon size={17} stroke={1.7} aria-hidden />}
            onClick={() => void move(offered)}
          >
            <span className={classes.label}>{offered.label}</span>
            <span className={classes.effect}>{offered.effect}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
