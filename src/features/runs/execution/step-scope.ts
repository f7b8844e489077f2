import { definitionOf } from '../../actions/action-kind.js';
import { type WaitPurpose } from '../../actions/wait-request.js';
import { readerOf } from '../../actions/placeholders/output-value.js';
import { type Reads, textNameOf } from '../../actions/reads.js';
import { Budget, MAX_RENDERED_BYTES, measured, type RenderScope } from '../../actions/placeholders/render.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type ClaimedRun, type StepState } from './claimed-run.js';
import { type Piece } from './run-space.js';
import { type Texts } from './run-text.js';

/** Total bytes of placeholder values. A config within its own limit never reaches it. */
const MAX_VALUES_BYTES = 2 * MAX_RENDERED_BYTES;

/** Returns the URL of the wait of a run's action. */
export type WaitUrls = (purpose: WaitPurpose, place: { runUuid: string; index: number }) => string;

type Standing = Pick<ClaimedRun, 'uuid' | 'triggerUuid' | 'triggerType' | 'actions'> & {
  steps: readonly Pick<StepState, 'index' | 'firstRunUuid'>[];
};

/**
 * The values that a step's placeholders read from its run. Each text is parsed once, one after another in a `piece` of
 * its own, and only the values at the named paths are kept: a parsed text may take twenty times its memory.
 * @throws RenderError `too_large`
 */
export async function scopeOf(
  run: Standing,
  texts: Texts,
  { placeholders, outright }: Pick<Reads, 'placeholders' | 'outright'>,
  urls: WaitUrls,
  piece: Piece,
): Promise<RenderScope> {
  const { uuid, triggerUuid, triggerType } = run;
  const values = new Map<string, unknown>([
    ['trigger.type', triggerType],
    ['trigger.id', triggerUuid === null ? null : toPublicId('trg', triggerUuid)],
    ['run.id', toPublicId('run', uuid)],
  ]);
  const budget = new Budget(MAX_VALUES_BYTES);
  const named = { outright: Map.groupBy(outright, textNameOf), placeholders: Map.groupBy(placeholders, textNameOf) };
  for (const [name, text] of texts) {
    await piece(text.length);
    const [whole, rendered] = [named.outright.get(name) ?? [], named.placeholders.get(name) ?? []];
    const read = readerOf(name, text, [...whole, ...rendered]);
    for (const path of whole) values.set(path.join('.'), read(path));
    for (const path of rendered) values.set(path.join('.'), measured(read(path), budget));
  }
  for (const path of placeholders) if (path[0] === 'waits') values.set(path.join('.'), urlOf(run, path[1]!, urls));
  return (path) => values.get(path.join('.'));
}

/** The URL of a wait: of a step that was carried over, in the run that executed it. */
export function urlOf(
  { uuid, actions, steps }: Pick<Standing, 'uuid' | 'actions' | 'steps'>,
  name: string,
  urls: WaitUrls,
): string | undefined {
  const index = actions.findIndex((action) => action.name === name);
  const action = actions[index];
  const purpose = action && definitionOf(action.kind).waits?.(action.config);
  if (purpose === undefined) return undefined;
  const runUuid = steps.find((step) => step.index === index)?.firstRunUuid ?? uuid;
  return urls(purpose, { runUuid, index });
}
