import { resolvePath } from '../actions/placeholders/path.js';
import { textFault } from '../../platform/validation.js';
import { type ConfigFaults } from './define-trigger-kind.js';

/** The maximum number of paths in a filter: each event of the account may be compared with all of them. */
const MAX_PATHS = 50;
const MAX_PATH_LENGTH = 255;
const MAX_VALUE_LENGTH = 1_000;

/** What a filter is, for the documents. */
export const FILTER = `Conditions for the events that fire: an object of dotted paths in the event's body and their required values, e.g. \`{ "ref": "refs/heads/main" }\`. All of them must match. A value is a string, a number, true, false or null, and the type must be equal, too; \`items.2.id\` is a path into a list. At most ${MAX_PATHS} paths of ${MAX_PATH_LENGTH} characters, and strings of ${MAX_VALUE_LENGTH.toLocaleString('en')}.`;

/** The same as JSON Schema. */
export const FILTER_SCHEMA = {
  type: 'object',
  maxProperties: MAX_PATHS,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_VALUE_LENGTH },
  examples: [{ ref: 'refs/heads/main' }],
} as const;

/** Validates the `filter` of an app event: dotted paths without empty parts, each with the scalar it must equal. */
export function checkFilter(filter: unknown, faults: ConfigFaults): void {
  if (filter === null || typeof filter !== 'object' || Array.isArray(filter)) {
    faults.add('filter', 'must be an object of dotted paths and the values they must equal');
    return;
  }
  const entries = Object.entries(filter);
  if (entries.length > MAX_PATHS) {
    faults.add('filter', `has ${entries.length} paths; the most is ${MAX_PATHS}`);
    return;
  }
  for (const [path, value] of entries) checkEntry(path, value, faults);
}

function checkEntry(path: string, value: unknown, faults: ConfigFaults): void {
  if (textFault(path, 0, MAX_PATH_LENGTH) !== undefined)
    faults.add(
      'filter',
      `has a path of more than ${MAX_PATH_LENGTH} characters, which begins with "${path.slice(0, 20)}"`,
    );
  else if (path.split('.').includes(''))
    faults.add('filter', `has "${path}", which is not a dotted path such as deal.stage`);
  else if (value !== null && typeof value === 'object')
    faults.add(`filter.${path}`, 'must be a text, a number, true, false or null');
  else if (typeof value === 'string') faults.add(`filter.${path}`, textFault(value, 0, MAX_VALUE_LENGTH));
}

/**
 * Whether a payload has, at each path of a filter, exactly the filter's value. Only own properties count. Calls
 * `onLook` for each compared path.
 */
export function passes(
  filter: Readonly<Record<string, unknown>>,
  payload: unknown,
  onLook: () => void = () => undefined,
): boolean {
  return Object.entries(filter).every(([path, value]) => {
    onLook();
    return resolvePath(payload, path.split('.')) === value;
  });
}
