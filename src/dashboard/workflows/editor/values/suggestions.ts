import { type ActionKind } from '../../../graphql/enums.generated.js';
import { type SourceRun } from '../../../runs/source/use-source-run.js';
import { type WaitPart } from '../wait-part.js';

/** A value that a placeholder can stand for. */
export interface Suggestion {
  /** The text between the braces, e.g. `trigger.body.order.id`. */
  path: string;
  /** The value in the chosen run; undefined if unknown. */
  value?: unknown;
  /** A description for a value without a run. */
  about?: string;
}

/** The keys that the service accepts in a path; others can't be addressed. */
const KEY = /^[\p{L}\p{M}\p{N}_$@#:-]+$/u;
const DEPTH = 7;
const ITEMS = 3;
const MOST = 300;

/** The known keys of a step's output before any run. */
const OUTPUTS: Readonly<Record<ActionKind, readonly (readonly [key: string, about: string])[]>> = {
  HTTP_REQUEST: [
    ['body', 'The response body'],
    ['status', 'The status of the response, e.g. 200'],
    ['headers', 'The headers of the response'],
  ],
  APP_REQUEST: [
    ['body', 'The response of the application'],
    ['status', 'The status of the response, e.g. 200'],
    ['headers', 'The headers of the response'],
  ],
  CONDITION: [['holds', 'Whether the condition was true']],
  DELAY: [['waited_until', 'When it continued']],
  SEND_EMAIL: [['to', 'The recipients']],
  WAIT_FOR_APPROVAL: [
    ['decision', 'approved or denied'],
    ['comment', 'The comment on the decision'],
    ['by', 'The email address of the approver'],
  ],
  WAIT_FOR_CALLBACK: [['body', 'The posted data']],
  WAIT_FOR_CONNECTION: [['integration_id', 'The id of the connection']],
};

/** An action that may wait, with the part that others can read. */
export interface NamedWait {
  name: string;
  part: WaitPart;
}

const WAIT_PARTS: Readonly<Record<WaitPart, string>> = {
  url: 'The URL that answers the wait',
  connect_url: 'The page on which the user connects',
};

/**
 * The placeholders for an action: trigger, run, the waits of the whole workflow, and each earlier action, with the values
 * of a past run if there is one.
 */
export function suggestionsFor(
  earlier: readonly { name: string; kind: ActionKind }[],
  waits: readonly NamedWait[],
  run: SourceRun | undefined,
): readonly Suggestion[] {
  const ofWaits = waits.map(({ name, part }) => ({ path: `waits.${name}.${part}`, about: WAIT_PARTS[part] }));
  const ofSteps = earlier.flatMap(({ name, kind }) => {
    const step = run?.steps.find((candidate) => candidate.name === name);
    if (step !== undefined && step.output !== null) return leaves(`steps.${name}`, inOrder(kind, step.output));
    return OUTPUTS[kind].map(([key, about]) => ({ path: `steps.${name}.${key}`, about }));
  });
  const ofTrigger: Suggestion[] =
    run === undefined
      ? [
          { path: 'trigger.body', about: 'The data of the trigger' },
          { path: 'trigger.type', about: 'How it was fired, e.g. webhook' },
          { path: 'trigger.id', about: 'Which trigger fired' },
          { path: 'run.id', about: 'The id of this run, e.g. to detect duplicates' },
        ]
      : [
          ...leaves('trigger.body', run.input),
          ...(run.triggerHeaders == null ? [] : leaves('trigger.headers', run.triggerHeaders)),
          ...(run.triggerQuery == null ? [] : leaves('trigger.query', run.triggerQuery)),
          { path: 'trigger.type', value: run.triggerType.toLowerCase() },
          { path: 'trigger.id', value: run.triggerId },
          { path: 'run.id', value: run.id },
        ];
  return [...ofTrigger.slice(0, MOST - ofWaits.length), ...ofWaits, ...ofSteps].slice(0, MOST);
}

/** An output with the keys of its kind first, in their order: the body of a response before its headers. */
function inOrder(kind: ActionKind, output: unknown): unknown {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return output;
  const first = OUTPUTS[kind].map(([key]) => key).filter((key) => Object.hasOwn(output, key));
  return { ...Object.fromEntries(first.map((key) => [key, null])), ...output };
}

/** The value itself and all values inside it; of lists only the first few items. */
function leaves(path: string, value: unknown, depth = 0): Suggestion[] {
  const found: Suggestion[] = [{ path, value: value ?? null }];
  if (value === null || typeof value !== 'object' || depth === DEPTH) return found;
  const entries = Array.isArray(value) ? Object.entries(value).slice(0, ITEMS) : Object.entries(value);
  for (const [key, inner] of entries) {
    if (found.length > MOST) break;
    if (KEY.test(key)) found.push(...leaves(`${path}.${key}`, inner, depth + 1));
  }
  return found;
}

/** A value on one line, cut where it is long. */
export function preview({ value, about }: Suggestion): string {
  if (value === undefined) return about ?? '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return '(empty text)';
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}…` : text;
}
