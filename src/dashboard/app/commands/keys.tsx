import { Fragment } from 'react';
import classes from './commands.module.css';

/** The key of shortcuts on this machine. */
export const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Keys to press, one after the other or together. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes.keys}>
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && ' '}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
