import { type Choices, withChoices } from '../urls/choices.js';
import { placeholdersIn, urlTemplateFault } from '../urls/url-template.js';

/** The names that URL templates of an app may use. Captures with a pattern may stand for a whole origin. */
export interface TemplateNames {
  parameters: ReadonlySet<string>;
  captures: ReadonlySet<string>;
  /** The captures that a way of several does not have, so that a URL may not use them. */
  incomplete: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  /** The parameters that have choices. */
  choices: Readonly<Record<string, Choices>>;
  /** Whether `auth` is a list of ways. */
  isAuthList: boolean;
}

/** The names in a definition that is not validated yet. */
export function templateNames({ parameters, auth }: { parameters?: unknown; auth?: unknown }): TemplateNames {
  const isAuthList = Array.isArray(auth);
  const ways: unknown[] = isAuthList ? auth : [auth];
  const captures = ways.flatMap((way) => Object.entries(objectOf(objectOf(way).captures)));
  const isInAll = (name: string) => ways.every((way) => Object.hasOwn(objectOf(objectOf(way).captures), name));
  const choices = Object.entries(objectOf(parameters)).flatMap(([name, parameter]) => {
    const texts = Object.entries(objectOf(objectOf(parameter).choices));
    return texts.length === 0 ? [] : [[name, Object.fromEntries(texts.map(([key, to]) => [key, String(to)]))] as const];
  });
  return {
    parameters: new Set(Object.keys(objectOf(parameters))),
    captures: new Set(captures.map(([name]) => name)),
    incomplete: new Set(captures.map(([name]) => name).filter((name) => !isInAll(name))),
    origins: new Set(captures.flatMap(([name, capture]) => (objectOf(capture).pattern == null ? [] : [name]))),
    choices: Object.fromEntries(choices),
    isAuthList,
  };
}

/** Why a URL template is invalid with any of the choices, as the end of a sentence. `isApi`: it may use captures. */
export function templateFault(template: string, names: TemplateNames, isApi = false): string | undefined {
  const incomplete = isApi && placeholdersIn(template).find((name) => names.incomplete.has(name));
  if (incomplete) return `uses {${incomplete}}, which not every way in auth captures`;
  const declared = isApi ? new Set([...names.parameters, ...names.captures]) : names.parameters;
  const origins = isApi ? names.origins : undefined;
  return variants(template, Object.entries(names.choices))
    .map((variant) => urlTemplateFault(variant, declared, origins))
    .find((fault) => fault !== undefined);
}

/** The template with each combination of the choices that it uses. */
function variants(template: string, [first, ...rest]: readonly (readonly [string, Choices])[]): string[] {
  if (first === undefined) return [template];
  const [name, choices] = first;
  if (!template.includes(`{${name}}`)) return variants(template, rest);
  return Object.keys(choices).flatMap((key) =>
    variants(withChoices(template, { [name]: choices }, { [name]: key }), rest),
  );
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
