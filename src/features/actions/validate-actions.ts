import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { faultsOfConfigNames, type NameRules } from '../../platform/json/unknown-names.js';
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
 * Validates a whole list.
 * @throws AppError `validation_error` with each error's field, e.g. `actions.0.config.url`.
 */
export function validateActions(actions: readonly ActionInput[], rules: NameRules, offersType: OffersType): void {
  if (actions.length > MAX_ACTIONS) {
    throw validationError({ field: 'actions', message: `must hold at most ${MAX_ACTIONS} actions` });
  }
  const earlier = new Set<string>();
  const known = { earlier, waits: waitsOf(actions), offersType };
  const details = actions.flatMap((action, index) => {
    const found = actionFaults(action, `actions.${index}`, known, rules);
    earlier.add(action.name);
    return found;
  });
  const [first, ...rest] = details.slice(0, MAX_DETAILS).map(clipped);
  if (first !== undefined) throw validationError(first, ...rest);
}

/** The actions that may wait, with what they wait for. Their URLs exist from the start of a run, for earlier actions too. */
function waitsOf(actions: readonly ActionInput[]): KnownNames['waits'] {
  const found = actions.map(({ name, kind, config }) => [name, definitionOf(kind).waits?.(config)] as const);
  return new Map(found.filter((one): one is [string, WaitPurpose] => one[1] !== undefined));
}

function actionFaults(
  { name, kind, config }: ActionInput,
  at: string,
  known: KnownNames & { offersType: OffersType },
  rules: NameRules,
): ErrorDetail[] {
  const wrongName = nameFault(name, known.earlier);
  const ofName = wrongName === undefined ? [] : [{ field: `${at}.name`, message: wrongName }];
  const unstorable = unstorablePath(config, `${at}.config`);
  if (unstorable !== undefined) {
    const message = 'must be well-formed Unicode, without NUL and lone surrogates';
    return [...ofName, { field: unstorable, message }];
  }
  const ofConfig: ErrorDetail[] = [];
  collectTemplateFaults(config, `${at}.config`, known, ofConfig);
  const definition = definitionOf(kind);
  ofConfig.push(...faultsOfConfigNames(config, definition.keys, `${at}.config.`, rules));
  ofConfig.push(...faultsOfConfig(definition, config, `${at}.config`, known));
  return [...ofName, ...firstPerField(ofConfig)];
}

function nameFault(name: string, earlier: ReadonlySet<string>): string | undefined {
  const fault = textFault(name, 1, MAX_NAME);
  if (fault !== undefined) return fault;
  if (!isStepName(name)) return 'must not contain dots, braces, line breaks or space at its ends';
  return earlier.has(name) ? 'must be unique in the workflow' : undefined;
}

/** Checks every text in a JSON value, at any depth; keys are not templates. Stops after `MAX_DETAILS` errors. */
function collectTemplateFaults(value: unknown, field: string, names: KnownNames, into: ErrorDetail[]): void {
  if (into.length === MAX_DETAILS) return;
  if (typeof value === 'string') {
    const message = templateFault(value, names);
    if (message !== undefined) into.push({ field, message });
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      collectTemplateFaults(inner, `${field}.${key}`, names, into);
    }
  }
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
