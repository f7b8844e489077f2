import { type ErrorDetail } from '../../platform/errors.js';
import { type Variables } from '../graphql/documents/amount.js';
import { CONTINUES, FULL, type Operation } from './documents.js';
import { type Matched } from './route-table.js';
import { coerceVariables } from './variables.js';

/** The variables of an operation, from the parts of a request. @throws AppError `validation_error`. */
export function requestVariables(
  { value, path }: Matched<Operation>,
  body: Variables,
  query: URLSearchParams,
  faults: readonly ErrorDetail[],
): Record<string, unknown> {
  const isGet = value.route.method === 'GET';
  const rest = isGet ? Object.fromEntries(query) : body;
  const isTwice = value.isList && rest.after !== undefined && rest.page !== undefined;
  const twice = isTwice ? [{ field: 'page', message: 'cannot be combined with after' }] : [];
  const rules = (coerced: Variables) => value.rules.faultsOf(coerced);
  const given = { path, rest, isText: isGet, faults: [...faults, ...twice], rules };
  const variables = coerceVariables(value.parameters, given);
  if (value.isList) variables[CONTINUES] = variables.after != null;
  if (value.hasViews) {
    variables[FULL] = variables.view !== undefined;
    delete variables.view;
  }
  return variables;
}
