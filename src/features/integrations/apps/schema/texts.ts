import { z } from 'zod';

/** A text that `fault` validates: it returns the end of an error sentence, or undefined. */
export function text(fault: (value: string) => string | undefined) {
  return z.string().superRefine((value, context) => {
    const message = fault(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A fault function for `text`: the message for values that do not match. */
export function unless(wanted: RegExp, message: string): (value: string) => string | undefined {
  return (value) => (wanted.test(value) ? undefined : message);
}

/** An optional value that is null if absent. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

/** Why a text is no regular expression, as the end of a sentence. */
export function patternFault(value: string): string | undefined {
  try {
    return void new RegExp(value, 'u');
  } catch {
    return 'is not a regular expression (ECMAScript, flag u)';
  }
}

/** Why a text is no name for a placeholder in URLs, as the end of a sentence. */
export const nameFault = unless(/^[a-z][a-z0-9_]*$/, 'must be named in lower case, digits and underscores');

export const nonEmpty = text(unless(/[^]/, 'must not be empty'));
export const dottedPath = text(unless(/^[^.\s]+(\.[^.\s]+)*$/, 'must be a dotted path such as data.id'));
export const headerName = text(unless(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of a header'));
export const visible = text(unless(/^[\x20-\x7e]*$/, 'must be visible ASCII'));
