import { type ErrorDetail } from '../../platform/errors.js';
import { type ActionDefinition, type CheckScope, type Config } from './define-action.js';
import { literalText, parseTemplate, type Template, TemplateError } from './placeholders/template.js';

/** Returns the errors of a field's value, `[]` for a valid one. */
export type Check = (value: unknown, field: string) => ErrorDetail[];

/** Returns why a value is invalid, as the end of a sentence, or undefined. */
export type Rule<T> = (value: T) => string | undefined;

/**
 * What is wrong with the config of an action, with fields that begin with `at`. Texts are known to be storable; malformed
 * placeholders are reported elsewhere. A key that is not needed may be null.
 */
export function faultsOfConfig(
  { keys }: ActionDefinition,
  config: Config,
  at: string,
  { earlier, offersType, isRendered = false }: Omit<CheckScope, 'config' | 'isRendered'> & { isRendered?: boolean },
): ErrorDetail[] {
  return Object.entries(keys).flatMap(([key, { required, neededBy, check, isCheckedByStep }]) => {
    if (isRendered && isCheckedByStep) return [];
    const [value, field] = [config[key], `${at}.${key}`];
    const isNeeded = required || neededBy?.(config) === true;
    if (value === undefined && isNeeded) return [{ field, message: 'is required' }];
    return value == null && !isNeeded ? [] : check(value, field, { config, isRendered, earlier, offersType });
  });
}

/** A check made of one rule. */
export function that(rule: Rule<unknown>): Check {
  return (value, field) => faults(field, rule(value));
}

/** Accepts every value. */
export const anything: Check = () => [];

/**
 * A check of a text. `whole` validates a text without placeholders; one with placeholders is validated once rendered.
 * `pieces` validates each literal piece, `template` the text with its placeholders. Malformed templates pass here:
 * `validateActions` reports them.
 */
export function text(rules: { whole?: Rule<string>; pieces?: Rule<string>; template?: Rule<Template> } = {}): Check {
  return (value, field) => {
    if (typeof value !== 'string') return faults(field, 'must be a text');
    const template = templateOf(value);
    if (template === undefined) return [];
    const literal = literalText(template);
    const pieces = template.filter((part) => typeof part === 'string');
    return faults(
      field,
      rules.template?.(template) ??
        pieces.map((piece) => rules.pieces?.(piece)).find((fault) => fault !== undefined) ??
        (literal === undefined ? undefined : rules.whole?.(literal)),
    );
  };
}

/** The template of a text, or undefined when it is malformed. */
export function templateOf(value: string): Template | undefined {
  try {
    return parseTemplate(value);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

/** A rule that accepts only the given words. */
export function oneOf(words: readonly string[]): Rule<unknown> {
  return (value) => (words.includes(value as string) ? undefined : `must be one of ${words.join(', ')}`);
}

/** A rule that refuses control characters, line breaks above all. */
export const oneLine: Rule<string> = (value) =>
  /[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? 'must not contain line breaks or other control characters' : undefined;

function faults(field: string, message: string | undefined): ErrorDetail[] {
  return message === undefined ? [] : [{ field, message }];
}
