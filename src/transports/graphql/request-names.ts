import { getOperationAST } from 'graphql';
import { MAX_DETAILS, validationError } from '../../platform/errors.js';
import { type OperationContext } from './documents/admitted-operations.js';
import { type OperationRequest } from './operation-request.js';

const KNOWN: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

/**
 * Notes what the request has beside its known fields, and variables that its operation does not declare: neither has an
 * effect. @throws AppError `validation_error` for a caller that wants unknown names to be refused.
 */
export function checkRequestNames(operation: OperationRequest, context: OperationContext): void {
  const unknown = [
    ...Object.keys(operation).filter((name) => !KNOWN.has(name)),
    ...undeclared(operation, context).map((name) => `variables.${name}`),
  ];
  const [first, ...rest] = unknown.slice(0, MAX_DETAILS).map((field) => ({ field, message: 'is unknown' }));
  if (first !== undefined && context.strictNames) throw validationError(first, ...rest);
  for (const name of unknown) context.ignoredNames.add(name);
}

function undeclared({ variables, operationName }: OperationRequest, { document }: OperationContext): string[] {
  if (document === undefined || typeof variables !== 'object' || variables === null) return [];
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  const declared = new Set(operation?.variableDefinitions?.map(({ variable }) => variable.name.value));
  return Object.keys(variables).filter((name) => !declared.has(name));
}
