import { Notice } from '../../ui/pages/notice.js';
import { conditionInWords, type ConditionOutput } from './condition-words.js';

/** What a condition found and expected, and whether the run went on. */
export function ConditionResult({ operator, output }: { operator: unknown; output: ConditionOutput }) {
  const { holds, note } = output;
  const words = conditionInWords(operator, output);
  if (holds) return words === undefined ? null : <Notice tone="good">{words}</Notice>;
  return (
    <Notice tone={note === undefined ? 'busy' : 'warn'}>
      {words} The condition was false, so the run ended here. That counts as a success.
    </Notice>
  );
}
