import { type ReactNode, useId } from 'react';
import classes from './part.module.css';

/** One section of a settings page: description at the left, form at the right; stacked on small screens. */
export function Part({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead !== undefined && <p>{lead}</p>}
      </div>
      <div className={classes.card}>{children}</div>
    </section>
  );
}
