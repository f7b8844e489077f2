import { AppError, validationError } from '../../platform/errors.js';
import { type RestWords, toRestPath } from './names.js';

/** An error of GraphQL with its details in REST's names: paths in snake_case, constants in lower case. */
export function inRestNames(error: AppError, words: RestWords): AppError {
  const [first, ...rest] = (error.details ?? []).map(({ field, message }) => ({
    field: toRestPath(field),
    message: words(message),
  }));
  const { toPersons } = error.options;
  const options = { ...error.options, ...(toPersons && { toPersons: inRestNames(toPersons, words) }) };
  if (first === undefined) return toPersons === undefined ? error : new AppError(error.code, error.message, options);
  if (error.code === 'validation_error') return validationError(first, ...rest);
  return new AppError(error.code, error.message, { ...options, details: [first, ...rest] });
}
