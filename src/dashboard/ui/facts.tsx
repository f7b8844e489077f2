import { type ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './facts.module.css';

/** What is known of a thing, name by name: in a row under a page's head, in a column beside its content, or in a dialog. */
export function Facts({ layout = 'row', children }: { layout?: 'row' | 'column' | 'dialog'; children: ReactNode }) {
  return (
    <dl className={classes.facts} data-layout={layout}>
      {children}
    </dl>
  );
}

/** One of them; a `wide` one has a line of its own. */
export function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An id or address as a fact: cut off where there is no room for it, and copied whole. */
export function CopiedFact({ name, value, label }: { name: string; value: string; label: string }) {
  return (
    <Fact name={name}>
      <span className={classes.copied}>
        <code title={value}>{value}</code>
        <CopyButton value={value} label={label} />
      </span>
    </Fact>
  );
}
