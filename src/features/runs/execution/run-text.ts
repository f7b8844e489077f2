import { type Reads, type TextName } from '../../actions/reads.js';
import { type ClaimedRun, type RunText, type StepState } from './claimed-run.js';

/** JSON texts of a run by their names. */
export type Texts = Map<TextName, string>;

/** Where the texts are that a step reads. */
export interface StepSources {
  inMemory: Texts;
  /** Those that must be read first, and the most bytes that each has. */
  inDatabase: Map<TextName, number>;
}

/** What a worker keeps of each run in memory: its slots bound the number of runs, and so all of it (15 MB). */
const KEPT_BYTES = 65_536;

const NULL: RunText = { text: 'null', bytes: 4 };

type Standing = Pick<ClaimedRun, 'input' | 'steps'>;

/** There is no text of a step that has not succeeded. */
export function textsFor({ input, steps }: Standing, { texts }: Pick<Reads, 'texts'>): StepSources {
  const found: StepSources = { inMemory: new Map(), inDatabase: new Map() };
  const sort = (name: TextName, { text, bytes }: RunText) => {
    if (text === undefined) found.inDatabase.set(name, bytes);
    else found.inMemory.set(name, text);
  };
  if (texts.has(null)) sort(null, input);
  for (const { name, status, output } of steps) {
    if (status === 'succeeded' && texts.has(name)) sort(name, output ?? NULL);
  }
  return found;
}

/** After a step was saved: leaves its output to the database where the run has enough in memory. */
export function leaveLarge({ input, steps }: Standing, { output }: Pick<StepState, 'output'>): void {
  if (output === null) return;
  const all = [input, ...steps.map((step) => step.output)];
  const kept = all.reduce((sum, one) => sum + (one?.text === undefined ? 0 : one.bytes), 0);
  if (kept > KEPT_BYTES) output.text = undefined;
}
