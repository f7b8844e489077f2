import { type ErrorDetail } from '../../platform/errors.js';
import { textFault } from '../../platform/validation.js';
import { templateOf, text } from './config-checks.js';
import { type ActionKey } from './define-action.js';
import { type OffersType } from './offers-type.js';
import { type StepError } from './step-work.js';

/** The connection of an end user: its integration type, and the account's own id of the user. */
export interface UserConnection {
  type: string;
  reference: string;
}

const MAX_REFERENCE = 255;

/** The integration type of a connection. */
export const typeKey: ActionKey = {
  required: true,
  about: 'The integration type, such as `slack`.',
  schema: { type: 'string', examples: ['slack'] },
  check: (value, field, { offersType }) =>
    text({ whole: (type) => (offersType(type) ? undefined : 'is no integration type of this service') })(value, field),
  isCheckedByStep: true,
};

/** The end user of a connection. A reference that is no text of 1 to 255 characters fails the step, not the save. */
export const referenceKey: ActionKey = {
  required: true,
  about: `The account's own id of the end user, as in \`POST /integrations/connect\`: a text of 1 to ${MAX_REFERENCE} characters; a number counts as text.`,
  schema: { type: ['string', 'number'], examples: ['{{ trigger.body.user_id }}'] },
  check: referenceFaults,
  isCheckedByStep: true,
};

function referenceFaults(value: unknown, field: string): ErrorDetail[] {
  if (typeof value === 'number') return [];
  if (typeof value !== 'string') return [{ field, message: 'must be a text' }];
  const template = templateOf(value);
  if (template === undefined || template.some((part) => typeof part !== 'string')) return [];
  const fault = textFault(value, 1, MAX_REFERENCE);
  return fault === undefined ? [] : [{ field, message: fault }];
}

/** The connection that a rendered config names, or the error of the step. */
export function connectionOf(
  given: { type?: unknown; reference?: unknown },
  offersType: OffersType,
): UserConnection | StepError {
  const { type } = given;
  const reference = typeof given.reference === 'number' ? String(given.reference) : given.reference;
  if (typeof type !== 'string' || !offersType(type))
    return { code: 'validation_error', message: 'type is no integration type of this service.' };
  if (typeof reference !== 'string' || textFault(reference, 1, MAX_REFERENCE) !== undefined)
    return {
      code: 'validation_error',
      message: `reference must be a text of 1 to ${MAX_REFERENCE} characters, or a number.`,
    };
  return { type, reference };
}
