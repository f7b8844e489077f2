import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

/** A titled part of a page: `lead` explains it in a sentence, `actions` are at the right of the title. */
export function Section({ title, lead, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** The parts of a section. */
export interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}
