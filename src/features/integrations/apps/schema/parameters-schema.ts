import { z } from 'zod';
import { matchesWhole } from '../whole-pattern.js';
import { nameFault, nonEmpty, orNull, patternFault, text, unless } from './texts.js';

const choice = text(unless(/^[a-z0-9_]+$/, 'must be made of a-z, 0-9 and _'));
const choiceText = text(unless(/^[a-z0-9.-]*$/, 'must be made of a-z, 0-9, dots and hyphens'));

const parameter = z
  .strictObject({
    description: z.string(),
    pattern: text(patternFault).optional(),
    choices: orNull(z.record(choice, choiceText)),
    default: orNull(nonEmpty),
  })
  .superRefine(({ pattern, choices, default: fallback }, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (pattern !== undefined && choices !== null) fault('choices', 'must be left out beside pattern');
    else if (pattern === undefined && choices === null) fault('pattern', 'is missing');
    else if (choices !== null && Object.keys(choices).length === 0) fault('choices', 'must not be empty');
    else if (fallback !== null && !matchesWhole(pattern ?? oneOf(choices!), fallback))
      fault('default', choices === null ? 'must match the pattern' : 'must be one of the choices');
  })
  .transform(({ pattern, ...rest }) => ({ pattern: pattern ?? oneOf(rest.choices ?? {}), ...rest }));

/** The parameters of an app, from an object by name to a list. */
export const parameters = z
  .record(text(nameFault), parameter)
  .transform((byName) => Object.entries(byName).map(([name, rest]) => ({ name, ...rest })));

/** A pattern that matches the names of the choices. They contain no special character. */
function oneOf(choices: Readonly<Record<string, string>>): string {
  return Object.keys(choices).join('|');
}
