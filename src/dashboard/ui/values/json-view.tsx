import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { CopyButton } from './copy-button.js';
import { type JsonToken, jsonTokens } from './json-tokens.js';
import classes from './json-view.module.css';

/** Lines that are shown until “Show all”; the maximum of characters, even after “Show all”. */
const LINES = 24;
const CHARACTERS = 60_000;

/**
 * A formatted and coloured JSON value, always as text; a long one is collapsed, a huge one truncated but copied whole.
 */
export function JsonView({ value, label = 'JSON' }: { value: unknown; label?: string }) {
  const [open, setOpen] = useState(false);
  const whole = useMemo(() => JSON.stringify(value ?? null, null, 2), [value]);
  const lines = useMemo(() => whole.slice(0, CHARACTERS).split('\n'), [whole]);
  const isLong = lines.length > LINES || whole.length > 4_000;
  const shown = open || !isLong ? lines.join('\n') : lines.slice(0, LINES).join('\n').slice(0, 4_000);
  // Pages with live durations are rendered several times a second.
  const coloured = useMemo(() => jsonTokens(shown).map(inColour), [shown]);
  return (
    <div className={classes.view}>
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{coloured}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={whole} label={`Copy ${label}`} />
      </div>
      {isLong && (
        <div className={classes.more}>
          <Button variant="subtle" size="compact-xs" onClick={() => setOpen(!open)} aria-expanded={open}>
            {open ? 'Show less' : 'Show all'}
          </Button>
          {open && whole.length > CHARACTERS && <span>Cut here: copy it to see the rest.</span>}
        </div>
      )}
    </div>
  );
}

function inColour({ text, kind }: JsonToken, index: number) {
  if (kind === undefined) return text;
  return (
    <span key={index} className={classes[kind]}>
      {text}
    </span>
  );
}
