import { type IncomingMessage } from 'node:http';
import { type DocumentNode, getOperationAST } from 'graphql';
import { type RequestContext } from '../../platform/context.js';
import { MAX_DETAILS, validationError } from '../../platform/errors.js';
import { type OperationRequest, searchOf } from './operation-request.js';

const KNOWN: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);

/** A request over HTTP and the operation in it. */
interface NamedRequest {
  request: IncomingMessage;
  operation: OperationRequest;
  /** Undefined if the request has no document. */
  document: DocumentNode | undefined;
}

/**
 * Notes what the request has beside its known fields, and variables that its operation does not declare: neither has an
 * effect. @throws AppError `validation_error` for a caller that wants unknown names to be refused.
 */
export function checkRequestNames({ request, operation, document }: NamedRequest, context: RequestContext): void {
  const unknown = [
    ...unknownParameters(request),
    ...Object.keys(operation).filter((name) => !KNOWN.has(name)),
    ...undeclared(operation, document).map((name) => `variables.${name}`),
  ];
  const [first, ...rest] = unknown.slice(0, MAX_DETAILS).map((field) => ({ field, message: 'is unknown' }));
  if (first !== undefined && context.strictNames) throw validationError(first, ...rest);
  for (const name of unknown) context.ignoredNames.add(name);
}

/** Parameters of the URL without an effect. A POST has its operation in the body alone (GraphQL over HTTP, 5.3). */
function unknownParameters({ url = '/', method }: IncomingMessage): string[] {
  const search = searchOf(url);
  if (search === '') return [];
  const names = [...new Set(new URLSearchParams(search).keys())];
  return method === 'GET' ? names.filter((name) => !KNOWN.has(name)) : names;
}

function undeclared({ variables, operationName }: OperationRequest, document: DocumentNode | undefined): string[] {
  if (document === undefined || typeof variables !== 'object' || variables === null) return [];
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  const declared = new Set(operation?.variableDefinitions?.map(({ variable }) => variable.name.value));
  return Object.keys(variables).filter((name) => !declared.has(name));
}
