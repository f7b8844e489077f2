import { type Asked, asksFor } from '../../platform/graphql/asked-fields.js';
import { columnsOf } from '../../platform/db/columns.js';
import { payloadBody, storedText } from '../../platform/payloads.js';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** What an input or output may weigh in a list, in bytes of its JSON: a list holds up to 5,000 of them. */
const LISTED_BYTES = 16_384;
/** A column's own header, which `pg_column_size` counts. */
const HEADER_BYTES = 4;

/** How much is read of a run's input, and of the outputs of its steps. */
export type Part = 'none' | 'listed' | 'whole';

const RUN = `${columnsOf(Run, 'r', ['input'])},
  EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"`;
const LISTED_INPUT = `CASE WHEN r.payload_id IS NULL THEN ${shortText('r.input')}
  WHEN r.input_bytes <= ${LISTED_BYTES} THEN ${payloadBody('r.payload_id')} END`;

/** The select list of runs under the alias `r`. */
export const RUN_COLUMNS: Record<Part, string> = {
  none: RUN,
  listed: `${RUN}, ${LISTED_INPUT} AS "inputText", (r.input IS NOT NULL OR r.payload_id IS NOT NULL) AS "hasInput"`,
  whole: `${RUN}, ${storedText('r.input', 'r.payload_id')} AS "inputText"`,
};

const STEP = columnsOf(Step, 's', ['output']);

/** The select list of steps under the alias `s`. */
export const STEP_COLUMNS: Record<Part, string> = {
  none: STEP,
  listed: `${STEP}, ${shortText('s.output')} AS "outputText", s.output IS NOT NULL AS "hasOutput"`,
  whole: `${STEP}, s.output::text AS "outputText"`,
};

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

/** The stored size is known without the value, and is never more than its text has, so most large ones are not read at all. */
function shortText(column: string): string {
  return `CASE WHEN pg_column_size(${column}) <= ${LISTED_BYTES + HEADER_BYTES} THEN
    CASE WHEN octet_length(${column}::text) <= ${LISTED_BYTES} THEN ${column}::text END END`;
}
