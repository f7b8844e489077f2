import { type ErrorDetail, validationError } from '../../platform/errors.js';
import { faultsOfConfigNames, type NameRules } from '../../platform/json/unknown-names.js';
import { textFault, unstorablePath } from '../../platform/validation.js';
import { definitionOf } from './action-kind.js';
import { type ActionInput } from './action.inputs.js';
import { faultsOfConfig } from './config-checks.js';
import { isStepName, unknownStep } from './placeholders/path.js';
import { parseTemplate, TemplateError } from './placeholders/template.js';

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
export function validateActions(actions: readonly ActionInput[], rules: NameRules): void {
  if (actions.length > MAX_ACTIONS) {
    throw validationError({ field: 'actions', message: `must hold at most ${MAX_ACTIONS} actions` });
  }
  const earlier = new Set<string>();
  const details = actions.flatMap((action, index) => {
    const found = actionFaults(action, `actions.${index}`, earlier, rules);
    earlier.add(action.name);
    return found;
  });
  const [first, ...rest] = details.slice(0, MAX_DETAILS).map(clipped);
  if (first !== undefined) throw validationError(first, ...rest);
}

function actionFaults(
  { name, kind, config }: ActionInput,
  at: string,
  earlier: ReadonlySet<string>,
  rules: NameRules,
): ErrorDetail[] {
  const wrongName = nameFault(name, earlier);
  const ofName = wrongName === undefined ? [] : [{ field: `${at}.name`, message: wrongName }];
  const unstorable = unstorablePath(config, `${at}.config`);
  if (unstorable !== undefined) {
    const message = 'must be well-formed Unicode, without NUL and lone surrogates';
    return [...ofName, { field: unstorable, message }];
  }
  const ofConfig: ErrorDetail[] = [];
  collectTemplateFaults(config, `${at}.config`, earlier, ofConfig);
  const definition = definitionOf(kind);
  ofConfig.push(...faultsOfConfigNames(Object.keys(config), Object.keys(definition.keys), `${at}.config.`, rules));
  ofConfig.push(...faultsOfConfig(definition, config, `${at}.config`, earlier));
  return [...ofName, ...firstPerField(ofConfig)];
}

function nameFault(name: string, earlier: ReadonlySet<string>): string | undefined {
  const fault = textFault(name, 1, MAX_NAME);
  if (fault !== undefined) return fault;
  if (!isStepName(name)) return 'must not contain dots, braces, line breaks or space at its ends';
  return earlier.has(name) ? 'must be unique in the workflow' : undefined;
}

/** Checks every text in a JSON value, at any depth; keys are not templates. Stops after `MAX_DETAILS` errors. */
function collectTemplateFaults(value: unknown, field: string, earlier: ReadonlySet<string>, into: ErrorDetail[]): void {
  if (into.length === MAX_DETAILS) return;
  if (typeof value === 'string') {
    const message = templateFault(value, earlier);
    if (message !== undefined) into.push({ field, message });
  } else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      collectTemplateFaults(inner, `${field}.${key}`, earlier, into);
    }
  }
}

function templateFault(text: string, earlier: ReadonlySet<string>): string | undefined {
  if (!text.includes('{{')) return undefined;
  try {
    for (const part of parseTemplate(text)) {
      const fault = typeof part === 'string' ? undefined : unknownStep(part, earlier);
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
