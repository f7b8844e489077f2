import { type Asked, asksFor } from '../asked-fields.js';
import { columnsOf } from '../db/columns.js';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** What an input or output may weigh in a list, in bytes of its JSON: a list holds up to 5,000 of them. */
export const LISTED_BYTES = 16_384;
/** A column's own header, which `pg_column_size` counts. */
const HEADER_BYTES = 4;

/** How much is read of a run's input, and of the outputs of its steps. */
export type Part = 'none' | 'listed' | 'whole';

/** The select list of runs under the alias `r`. */
export const RUN_COLUMNS = columnsOfPart(
  `${columnsOf(Run, 'r', ['input'])}, EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"`,
  'r.input',
  { text: 'inputText', isThere: 'hasInput' },
);

/** The select list of steps under the alias `s`. */
export const STEP_COLUMNS = columnsOfPart(columnsOf(Step, 's', ['output']), 's.output', {
  text: 'outputText',
  isThere: 'hasOutput',
});

/** `part`, where a selection, or what lies `below` it, asks for the inputs of runs or whether they were left out. */
export function inputPart(part: Part, info: Asked, below?: 'items'): Part {
  const isAsked = ['input', 'inputOmitted'].some((name) =>
    below === undefined ? asksFor(info, name) : asksFor(info, below, name),
  );
  return isAsked ? part : 'none';
}

/** The same of the outputs of steps. */
export function outputPart(part: Part, info: Asked): Part {
  return asksFor(info, 'output') || asksFor(info, 'outputOmitted') ? part : 'none';
}

function columnsOfPart(
  others: string,
  column: string,
  { text, isThere }: { text: string; isThere: string },
): Record<Part, string> {
  return {
    none: others,
    listed: `${others}, ${shortText(column)} AS "${text}", ${column} IS NOT NULL AS "${isThere}"`,
    whole: `${others}, ${column}::text AS "${text}"`,
  };
}

/** The stored size is known without the value, and is never more than its text has, so most large ones are not read at all. */
function shortText(column: string): string {
  return `CASE WHEN pg_column_size(${column}) <= ${LISTED_BYTES + HEADER_BYTES} THEN
    CASE WHEN octet_length(${column}::text) <= ${LISTED_BYTES} THEN ${column}::text END END`;
}
