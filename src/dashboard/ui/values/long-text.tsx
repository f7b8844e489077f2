import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { CopyButton } from './copy-button.js';
import classes from './long-text.module.css';

/** Lines that are shown until “Show all”; the maximum of characters, even after “Show all”. */
const LINES = 24;
const CHARACTERS = 60_000;

/** A text with its line breaks, never as HTML; a long one is collapsed, a huge one truncated but copied whole. */
export function LongText({ text, label, paint }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const lines = useMemo(() => text.slice(0, CHARACTERS).split('\n'), [text]);
  const isLong = lines.length > LINES || text.length > 4_000;
  const shown = open || !isLong ? lines.join('\n') : lines.slice(0, LINES).join('\n').slice(0, 4_000);
  // Pages with live durations are rendered several times a second.
  const painted = useMemo(() => paint?.(shown) ?? shown, [paint, shown]);
  return (
    <div className={classes.view}>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{painted}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
      {isLong && (
        <div className={classes.more}>
          <Button variant="subtle" size="compact-xs" onClick={() => setOpen(!open)} aria-expanded={open}>
            {open ? 'Show less' : 'Show all'}
          </Button>
          {open && text.length > CHARACTERS && <span>Cut here: copy it to see the rest.</span>}
        </div>
      )}
    </div>
  );
}

/** `paint` colours the shown part of the text. */
export interface LongTextProps {
  text: string;
  label: string;
  paint?: (shown: string) => ReactNode;
}
