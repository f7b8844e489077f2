import { ActionIcon, Menu } from '@mantine/core';
import { useFocusBack } from '../../ui/use-focus-back.js';
import { useDuplicate } from './use-duplicate.js';
import { IconCopy, IconDots } from '../../ui/icons/icons.js';

/** The less frequent actions of a workflow, in its row and on its page. */
export function WorkflowMenu({ workflow: { id }, label }: WorkflowMenuProps) {
  const { duplicate, running } = useDuplicate();
  const target = useFocusBack(running);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" aria-label={label} loading={running}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void duplicate(id)}>
          Duplicate
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface WorkflowMenuProps {
  workflow: { id: string };
  /** For screen readers. */
  label: string;
}
