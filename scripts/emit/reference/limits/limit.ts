import { VARIABLES } from '../../../../src/platform/config/variables.js';

type Limit = readonly [what: string, number: string, past: string];

/** The limits of the service by group. */
export type Limits = Readonly<Record<string, readonly Limit[]>>;

export const INVALID = '400 `validation_error`';
export const DOCUMENT = '400 `GRAPHQL_VALIDATION_FAILED`';
export const LIMITED = '429 `rate_limited`';

/** The default of a setting that is a number. */
export function setting(name: string): number {
  return Number(VARIABLES.find((each) => each.name === name)!.default);
}
