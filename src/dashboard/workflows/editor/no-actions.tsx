import { type ReactNode } from 'react';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { IconListDetails } from '../../ui/icons/icons.js';
import classes from './actions-editor.module.css';

/** The empty state of a workflow without actions. */
export function NoActions({ add }: { add: ReactNode }) {
  return (
    <div className={classes.none}>
      <EmptyState icon={IconListDetails} title="What should it do?" level={3} action={add}>
        Add the first action: call a URL, send an email, wait. Each action can use the data of the trigger and of
        earlier actions.
      </EmptyState>
    </div>
  );
}
