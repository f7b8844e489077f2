import { replacePlaceholders } from './url-template.js';

/** The text in URLs for each value of a parameter. */
export type Choices = Readonly<Record<string, string>>;

/**
 * A URL template with the texts of the chosen values. The texts are part of the app, so they may be any part of a host.
 * A placeholder whose value is not among its choices stays.
 */
export function withChoices(
  template: string,
  choices: Readonly<Record<string, Choices>>,
  values: Readonly<Record<string, string>>,
): string {
  return replacePlaceholders(template, (name) => textOf(choices[name], values[name]) ?? `{${name}}`);
}

function textOf(choices: Choices | undefined, value: string | undefined): string | undefined {
  return choices !== undefined && value !== undefined && Object.hasOwn(choices, value) ? choices[value] : undefined;
}
