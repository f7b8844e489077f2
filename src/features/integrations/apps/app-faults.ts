import { type z } from 'zod';

/**
 * An error in an app definition. `message` is the end of a sentence that starts with the path, and contains no value.
 */
export interface AppFault {
  path: PropertyKey[];
  message: string;
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const SAID_BY_SCHEME = new Set(['header', 'algorithm', 'encoding', 'prefix']);

/** Explains a zod issue to the author of the app. Never contains the value, which may be a secret. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return 'is not one of the known kinds';
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

/** The errors of an app that its schema refused: one for each issue, and one for each unknown key. */
export function faultsOf(error: z.ZodError): AppFault[] {
  return error.issues.flatMap((issue): AppFault[] => {
    if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: issue.path, message }));
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
    const inSignature = issue.path.at(-1) === 'signature';
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: inSignature && SAID_BY_SCHEME.has(key) ? 'must be left out beside scheme' : 'is not a known key',
    }));
  });
}
