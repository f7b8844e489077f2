import { type Selection, isSelected } from '../../platform/graphql/selected-fields.js';
import { columnsOf } from '../../platform/db/columns.js';
import { textColumns } from '../../platform/db/texts/measured-texts.js';
import { payloadBody, storedText } from '../../platform/payloads.js';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** The maximum size of an input or output in a list, in bytes of JSON: a list may hold 5,000 of them. */
export const LISTED_BYTES = 16_384;
/** The header of a value, which `pg_column_size` counts. */
const HEADER_BYTES = 4;

/** How much to read of inputs and outputs: none, only those small enough for a list, or all. */
export type Part = 'none' | 'listed' | 'whole';

/** Columns of a run that not every query reads. */
export const LARGE_COLUMNS = ['input', 'triggerHeadersJson', 'triggerQueryJson', 'changeMarks'] as const;

const RUN = `${columnsOf(Run, 'r', LARGE_COLUMNS)},
  EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.trigger_id) AS "triggerExists"`;
/** The input of the run `r`, if it is small enough for a list. */
export const LISTED_INPUT = `CASE WHEN r.payload_id IS NULL THEN ${shortText('r.input')}
  WHEN r.input_bytes <= ${LISTED_BYTES} THEN ${payloadBody('r.payload_id')} END`;

/** SQL of the texts of the run `r`, by their names. */
const RUN_TEXTS = {
  listed: {
    inputText: LISTED_INPUT,
    triggerHeadersText: shortText('r.trigger_headers'),
    triggerQueryText: shortText('r.trigger_query'),
  },
  whole: {
    inputText: storedText('r.input', 'r.payload_id'),
    triggerHeadersText: 'r.trigger_headers::text',
    triggerQueryText: 'r.trigger_query::text',
  },
};
const HAS_INPUT = '(r.input IS NOT NULL OR r.payload_id IS NOT NULL) AS "hasInput"';

/** The select list of runs under the alias `r`. */
export const RUN_COLUMNS: Record<Part, string> = {
  none: RUN,
  listed: `${RUN}, ${textColumns(RUN_TEXTS.listed)}, ${HAS_INPUT}`,
  whole: `${RUN}, ${textColumns(RUN_TEXTS.whole)}`,
};

/** The texts of many runs, and what else is selected with them. */
export const MANY_RUNS = {
  listed: { texts: RUN_TEXTS.listed, others: `${RUN}, ${HAS_INPUT}` },
  whole: { texts: RUN_TEXTS.whole, others: RUN },
};

/** The select list of runs that are read by their ids: a single one is read whole. */
export function nodeColumns({ length }: readonly string[]): string {
  return length === 1 ? `${RUN_COLUMNS.whole}, true AS "isSingle"` : RUN_COLUMNS.none;
}

/** The select list of steps under the alias `s`, without their outputs. */
export const STEP_COLUMNS = columnsOf(Step, 's', ['output']);
const LISTED_OUTPUT = `CASE WHEN s.payload_id IS NULL THEN ${shortText('s.output')}
  ELSE ${payloadBody('s.payload_id', LISTED_BYTES)} END`;
const HAS_OUTPUT = '(s.output IS NOT NULL OR s.payload_id IS NOT NULL) AS "hasOutput"';

/** The texts of many steps, and what else is selected with them. */
export const MANY_STEPS = {
  listed: { texts: { outputText: LISTED_OUTPUT }, others: `${STEP_COLUMNS}, ${HAS_OUTPUT}` },
  whole: { texts: { outputText: storedText('s.output', 's.payload_id') }, others: STEP_COLUMNS },
};

const OF_INPUT = ['input', 'inputOmitted', 'triggerHeaders', 'triggerQuery'];

/**
 * `part` if the selection (or its fields `below`) asks for the input of the run or its trigger's request, else `none`.
 */
export function inputPart(part: Part, info: Selection, ...below: readonly string[]): Part {
  const isAsked = OF_INPUT.some((name) => isSelected(info, ...below, name));
  return isAsked ? part : 'none';
}

/** `part` if the selection asks for `output` or `outputOmitted`, else `none`. */
export function outputPart(part: Part, info: Selection): Part {
  return isSelected(info, 'output') || isSelected(info, 'outputOmitted') ? part : 'none';
}

/**
 * PostgreSQL knows the stored size without reading the value, and it never exceeds the text: most large values stay
 * unread.
 */
function shortText(column: string): string {
  return `CASE WHEN pg_column_size(${column}) <= ${LISTED_BYTES + HEADER_BYTES} THEN
    CASE WHEN octet_length(${column}::text) <= ${LISTED_BYTES} THEN ${column}::text END END`;
}
