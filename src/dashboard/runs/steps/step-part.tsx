import { Skeleton } from '@mantine/core';
import { inWords } from '../../ui/in-words.js';
import { JsonView } from '../../ui/json/json-view.js';
import { LongText } from '../../ui/values/long-text.js';
import { splitTexts } from './step-texts.js';
import classes from './step-timeline.module.css';

/** The input or the output of a step: JSON, and texts such as an HTML page with their line breaks. */
export function StepPart({ label, of, value, missing }: StepPartProps) {
  const { rest, texts } = splitTexts(value);
  const isCut = typeof value === 'object' && value !== null && 'truncated' in value && value.truncated === true;
  return (
    <div className={classes.part}>
      <p className={classes.label}>
        {label}
        {isCut && <span>shortened: it was too long to store</span>}
      </p>
      {value === undefined && <Skeleton height={92} radius="sm" aria-hidden />}
      {value === null && <p className={classes.missing}>{missing}</p>}
      {rest !== undefined && rest !== null && <JsonView value={rest} label={`${label} of ${of}`} />}
      {texts.map(([name, text]) => (
        <div key={name} className={classes.part}>
          <p className={classes.text}>{inWords(name)}</p>
          <LongText text={text} label={`${inWords(name)} of ${of} (${label.toLowerCase()})`} />
        </div>
      ))}
    </div>
  );
}

/** `value`: undefined until loaded; `missing` is shown instead of null. */
export interface StepPartProps {
  label: string;
  of: string;
  value: unknown;
  missing: string;
}
