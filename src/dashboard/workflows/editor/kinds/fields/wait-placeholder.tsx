import { Code } from '@mantine/core';
import { useEditing } from '../../editing.js';
import { type WaitPart } from '../../wait-part.js';
import classes from './fields.module.css';

/** Names the placeholder for the URL of the wait, which earlier actions can send too. `children` is what it is for. */
export function WaitPlaceholder({ part, children }: { part: WaitPart; children: string }) {
  const { name } = useEditing().action;
  return (
    <p className={classes.hint}>
      {children}: <Code>{`{{ waits.${name || 'name'}.${part} }}`}</Code> is a value in every action, also in earlier
      ones.
    </p>
  );
}
