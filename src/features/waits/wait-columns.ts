import { columnsOf } from '../../platform/db/columns.js';
import { isSelected, type Selection } from '../../platform/graphql/selected-fields.js';
import { Wait } from './wait.entity.js';

/** The maximum size of an answer in a list, in bytes of JSON. */
const LISTED_BYTES = 16_384;

/** How much to read of answers: none, only those small enough for a list, or all. */
export type Part = 'none' | 'listed' | 'whole';

const WAIT = columnsOf(Wait, 'w', ['answer']);

/** The select list of waits under the alias `w`. */
export const WAIT_COLUMNS: Record<Part, string> = {
  none: WAIT,
  listed: `${WAIT}, w.answer IS NOT NULL AS "hasAnswer",
    CASE WHEN pg_column_size(w.answer) <= ${LISTED_BYTES} THEN
      CASE WHEN octet_length(w.answer::text) <= ${LISTED_BYTES} THEN w.answer::text END END AS "answerText"`,
  whole: `${WAIT}, w.answer::text AS "answerText"`,
};

/** The select list of waits that are read by their ids: a single one is read whole. */
export function nodeColumns({ length }: readonly string[]): string {
  return WAIT_COLUMNS[length === 1 ? 'whole' : 'listed'];
}

/** `part` if the selection (or its fields `below`) asks for the answer, else `none`. */
export function answerPart(part: Part, info: Selection, ...below: readonly string[]): Part {
  return ['answer', 'answerOmitted'].some((name) => isSelected(info, ...below, name)) ? part : 'none';
}
