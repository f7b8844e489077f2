import { validationError } from '../errors.js';
import { unstorablePath } from '../validation.js';

/** The column's text of what a person hands a run; null when nothing. @throws AppError `validation_error` where it can't be stored. */
export function judgeRunInput(input: unknown): string {
  const field = unstorablePath(input, 'input');
  if (field !== undefined) {
    throw validationError({ field, message: 'must not contain the NUL character or lone surrogates' });
  }
  return JSON.stringify(input ?? null);
}
