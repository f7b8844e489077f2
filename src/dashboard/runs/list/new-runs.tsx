import { Button } from '@mantine/core';
import { IconArrowUp } from '../../ui/icons/icons.js';
import classes from './run-list.module.css';

/** The number of new runs that the list does not show yet, with a button that shows them. */
export function NewRuns({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div role="status" className={classes.fresh}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={onShow}>
          {count === 1 ? '1 new run' : `${count.toLocaleString('en')} new runs`}
        </Button>
      )}
    </div>
  );
}
