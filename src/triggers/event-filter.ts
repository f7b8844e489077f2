import { resolvePath } from '../actions/path.js';
import { type ConfigFaults } from './define-trigger-kind.js';

/** Checks the `filter` of an app event: dotted paths without empty parts, each with the one scalar it must equal. */
export function checkFilter(filter: unknown, faults: ConfigFaults): void {
  if (filter === null || typeof filter !== 'object' || Array.isArray(filter)) {
    faults.add('filter', 'must be an object of dotted paths and the values they must equal');
    return;
  }
  for (const [path, value] of Object.entries(filter)) {
    if (path.split('.').includes(''))
      faults.add('filter', `has "${path}", which is not a dotted path such as deal.stage`);
    else if (value !== null && typeof value === 'object')
      faults.add(`filter.${path}`, 'must be a text, a number, true, false or null');
  }
}

/** Whether a payload has exactly the value that a filter names at each of its paths; own properties only. */
export function passes(filter: Readonly<Record<string, unknown>>, payload: unknown): boolean {
  return Object.entries(filter).every(([path, value]) => resolvePath(payload, path.split('.')) === value);
}
