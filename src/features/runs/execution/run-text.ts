import { type Reads, type TextName, TRIGGER_HEADERS, TRIGGER_QUERY } from '../../actions/reads.js';
import { type ClaimedRun, type RunText, type StepState } from './claimed-run.js';

/** JSON texts of a run: outputs by step name, the input under null, and those of the request to a hook. */
export type Texts = Map<TextName, string>;

/** Where to find the texts that a step reads. */
export interface StepSources {
  inMemory: Texts;
  /** Texts to read from the database, with an upper bound of their bytes. */
  inDatabase: Map<TextName, number>;
}

/** The length of texts together, in UTF-16 code units. */
export function lengthOf(texts: Texts): number {
  return [...texts.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Bytes of text that a worker keeps per run. Its slots bound the number of runs, so the total is at most 15 MB. */
const KEPT_BYTES = 65_536;

const NULL: RunText = { text: 'null', bytes: 4 };

type Standing = Pick<ClaimedRun, 'input' | 'triggerHeaders' | 'triggerQuery' | 'steps'>;

/** Sorts the texts that a step reads by where they are. Only succeeded steps have an output. */
export function textsFor(
  { input, triggerHeaders, triggerQuery, steps }: Standing,
  { texts }: Pick<Reads, 'texts'>,
): StepSources {
  const found: StepSources = { inMemory: new Map(), inDatabase: new Map() };
  const sort = (name: TextName, { text, bytes }: RunText) => {
    if (text === undefined) found.inDatabase.set(name, bytes);
    else found.inMemory.set(name, text);
  };
  if (texts.has(null)) sort(null, input);
  if (texts.has(TRIGGER_HEADERS)) sort(TRIGGER_HEADERS, triggerHeaders);
  if (texts.has(TRIGGER_QUERY)) sort(TRIGGER_QUERY, triggerQuery);
  for (const { name, status, output } of steps) {
    if (status === 'succeeded' && texts.has(name)) sort(name, output ?? NULL);
  }
  return found;
}

/** After a step is saved: drops its output from memory if the run keeps enough already. The database has it. */
export function leaveLarge(
  { input, triggerHeaders, triggerQuery, steps }: Standing,
  { output }: Pick<StepState, 'output'>,
): void {
  if (output === null) return;
  const all = [input, triggerHeaders, triggerQuery, ...steps.map((step) => step.output)];
  const kept = all.reduce((sum, one) => sum + (one?.text === undefined ? 0 : one.bytes), 0);
  if (kept > KEPT_BYTES) output.text = undefined;
}
