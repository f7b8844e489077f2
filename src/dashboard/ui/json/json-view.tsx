import { useMemo } from 'react';
import { type JsonToken, jsonTokens } from './json-tokens.js';
import classes from './json-view.module.css';
import { LongText } from '../values/long-text.js';

/** A formatted and coloured JSON value, always as text. */
export function JsonView({ value, label = 'JSON' }: { value: unknown; label?: string }) {
  const whole = useMemo(() => JSON.stringify(value ?? null, null, 2), [value]);
  return <LongText text={whole} label={label} paint={coloured} />;
}

function coloured(json: string) {
  return jsonTokens(json).map(inColour);
}

function inColour({ text, kind }: JsonToken, index: number) {
  if (kind === undefined) return text;
  return (
    <span key={index} className={classes[kind]}>
      {text}
    </span>
  );
}
