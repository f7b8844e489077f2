import { resolvePath } from '../../actions/placeholders/path.js';
import { type Reads, textNameOf } from '../../actions/reads.js';
import { Budget, MAX_RENDERED_BYTES, measured, type RenderScope } from '../../actions/placeholders/render.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { type ClaimedRun } from './claimed-run.js';
import { type Texts } from './run-text.js';

/** Total bytes of placeholder values. A config within its own limit never reaches it. */
const MAX_VALUES_BYTES = 2 * MAX_RENDERED_BYTES;

/**
 * The values that a step's placeholders read from its run. Each text is parsed once, one after another, and only the
 * values at the named paths are kept: a parsed text may take twenty times its memory. @throws RenderError `too_large`
 */
export function scopeOf(
  { uuid, triggerUuid, triggerType }: Pick<ClaimedRun, 'uuid' | 'triggerUuid' | 'triggerType'>,
  texts: Texts,
  { placeholders, outright }: Pick<Reads, 'placeholders' | 'outright'>,
): RenderScope {
  const values = new Map<string, unknown>([
    ['trigger.type', triggerType],
    ['trigger.id', triggerUuid === null ? null : toPublicId('trg', triggerUuid)],
    ['run.id', toPublicId('run', uuid)],
  ]);
  const budget = new Budget(MAX_VALUES_BYTES);
  const read = { outright: Map.groupBy(outright, textNameOf), placeholders: Map.groupBy(placeholders, textNameOf) };
  for (const [name, text] of texts) {
    const parsed: unknown = JSON.parse(text);
    const valueAt = (path: readonly string[]) => resolvePath(parsed, path.slice(2));
    for (const path of read.outright.get(name) ?? []) values.set(path.join('.'), valueAt(path));
    for (const path of read.placeholders.get(name) ?? []) values.set(path.join('.'), measured(valueAt(path), budget));
  }
  return (path) => values.get(path.join('.'));
}
