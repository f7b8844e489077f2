import { type ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './facts.module.css';

/** Properties as names and values: in a row under a page's header, in a column beside its content, or in a dialog. */
export function Facts({ layout = 'row', children }: { layout?: 'row' | 'column' | 'dialog'; children: ReactNode }) {
  return (
    <dl className={classes.facts} data-layout={layout}>
      {children}
    </dl>
  );
}

/** One property; a `wide` one has its own line. */
export function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An id or URL as a property: truncated to the available width, but copied in full. */
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
