import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { faultsOfConfigNames, type NameRules, noteIgnored } from '../../platform/json/unknown-names.js';
import { textFault, unstorablePath } from '../../platform/validation.js';
import { definitionOf } from './action-kind.js';
import { type ActionInput } from './action.inputs.js';
import { faultsOfConfig } from './config-checks.js';
import { type OffersType } from './offers-type.js';
import { isStepName, type KnownNames, unknownName } from './placeholders/path.js';
import { parseTemplate, TemplateError } from './placeholders/template.js';
import { type WaitPurpose } from './wait-request.js';

/** The maximum of actions of a workflow. */
export const MAX_ACTIONS = 50;
const MAX_NAME = 255;
/** More errors, or longer field names, would make the response larger than the request without helping the client. */
const MAX_DETAILS = 100;
const MAX_FIELD = 255;

/**
 * Validates a whole list. Yields before each action the bytes that are checked next, so that the caller may wait for its
 * turn: the uses of one variable make a list of 1 MB of a request of 20 kB.
 * @returns the list as JSON. @throws AppError `validation_error` with each error's field, e.g. `actions.0.config.url`.
 */
export function* validateActions(
  actions: readonly ActionInput[],
  rules: NameRules,
  offersType: OffersType,
): Generator<number, string> {
  if (actions.length > MAX_ACTIONS) {
    throw validationError({ field: 'actions', message: `must hold at most ${MAX_ACTIONS} actions` });
  }
  const earlier = new Set<string>();
  const known = { earlier, waits: waitsOf(actions), offersType };
  const details: ErrorDetail[] = [];
  const valid = new ValidConfigs();
  const texts: string[] = [];
  for (const [index, action] of actions.entries()) {
    const [{ name, kind, config }, at] = [action, `actions.${index}`];
    const wrongName = nameFault(name, earlier);
    if (wrongName !== undefined) details.push({ field: `${at}.name`, message: wrongName });
    // What was valid remains so: later actions may use more names.
    let text = valid.textOf(action);
    if (text !== undefined || details.length >= MAX_DETAILS) {
      noteIgnored(config, definitionOf(kind).keys, `${at}.config.`, rules);
    } else {
      text = JSON.stringify(config);
      yield text.length;
      const found = configFaults(action, text, `${at}.config`, known, rules);
      if (found.length === 0) valid.add(action, text);
      details.push(...found);
    }
    texts.push(`{"name":${JSON.stringify(name)},"kind":"${kind}","config":${text}}`);
    earlier.add(name);
  }
  const [first, ...rest] = details.slice(0, MAX_DETAILS).map(clipped);
  if (first !== undefined) throw validationError(first, ...rest);
  return `[${texts.join()}]`;
}

/** Valid configs of each kind, with their JSON. All uses of a variable are the same object. */
class ValidConfigs {
  private readonly texts = new Map<ActionInput['kind'], Map<ActionInput['config'], string>>();

  textOf({ kind, config }: ActionInput): string | undefined {
    return this.texts.get(kind)?.get(config);
  }

  add({ kind, config }: ActionInput, text: string): void {
    const ofKind = this.texts.get(kind) ?? new Map<ActionInput['config'], string>();
    this.texts.set(kind, ofKind.set(config, text));
  }
}

/** The actions that may wait, with what they wait for. Their URLs exist from the start of a run, for earlier actions too. */
function waitsOf(actions: readonly ActionInput[]): KnownNames['waits'] {
  const found = actions.map(({ name, kind, config }) => [name, definitionOf(kind).waits?.(config)] as const);
  return new Map(found.filter((one): one is [string, WaitPurpose] => one[1] !== undefined));
}

/** What is wrong with the config of an action. `text`: the config as JSON. */
function configFaults(
  { kind, config }: ActionInput,
  text: string,
  at: string,
  known: KnownNames & { offersType: OffersType },
  rules: NameRules,
): ErrorDetail[] {
  const unstorable = unstorablePath(config, at, text);
  if (unstorable !== undefined) {
    return [{ field: unstorable, message: 'must be well-formed Unicode, without NUL and lone surrogates' }];
  }
  const faults = text.includes('{{') ? templateFaults(config, at, known) : [];
  const definition = definitionOf(kind);
  faults.push(...faultsOfConfigNames(config, definition.keys, `${at}.`, rules));
  faults.push(...faultsOfConfig(definition, config, at, known));
  return firstPerField(faults);
}

function nameFault(name: string, earlier: ReadonlySet<string>): string | undefined {
  const fault = textFault(name, 1, MAX_NAME);
  if (fault !== undefined) return fault;
  if (!isStepName(name)) return 'must not contain dots, braces, line breaks or space at its ends';
  return earlier.has(name) ? 'must be unique in the workflow' : undefined;
}

/** Checks every text in a JSON value, at any depth; keys are not templates. Stops after `MAX_DETAILS` errors. */
function templateFaults(config: unknown, at: string, names: KnownNames): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const path: string[] = [at];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const message = templateFault(value, names);
      if (message !== undefined) faults.push({ field: path.join('.'), message });
    } else if (value !== null && typeof value === 'object') {
      for (const key in value) {
        if (faults.length === MAX_DETAILS) return;
        path.push(key);
        visit((value as Record<string, unknown>)[key]);
        path.pop();
      }
    }
  };
  visit(config);
  return faults;
}

function templateFault(text: string, names: KnownNames): string | undefined {
  if (!text.includes('{{')) return undefined;
  try {
    for (const part of parseTemplate(text)) {
      const fault = typeof part === 'string' ? undefined : unknownName(part, names);
      if (fault !== undefined) return fault;
    }
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

function firstPerField(details: readonly ErrorDetail[]): ErrorDetail[] {
  const fields = new Set<string>();
  return details.filter(({ field }) => !fields.has(field) && fields.add(field));
}

function clipped({ field, message }: ErrorDetail): ErrorDetail {
  return field.length <= MAX_FIELD
    ? { field, message }
    : { field: `${field.slice(0, MAX_FIELD).toWellFormed()}…`, message };
}
