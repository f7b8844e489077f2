import { IconListDetails } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.js';
import classes from './actions-editor.module.css';

/** A workflow that does nothing yet. */
export function NoActions({ add }: { add: ReactNode }) {
  return (
    <div className={classes.none}>
      <EmptyState icon={IconListDetails} title="What shall it do?" level={3} action={add}>
        Add the first action: call an address, send a mail, wait. Each can use what the trigger and the actions before
        it brought.
      </EmptyState>
    </div>
  );
}
