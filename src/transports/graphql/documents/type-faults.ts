import {
  type ASTNode,
  type ASTVisitFn,
  type ASTVisitor,
  BREAK,
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type ValidationContext,
  ValuesOfCorrectTypeRule,
  visit,
} from 'graphql';
import { type ErrorDetail } from '../../../platform/errors.js';
import { type Variables } from './amount.js';

/** GraphQL's rule for literals, with the place and the fault of each in `extensions.details`. */
export function typedLiterals(context: ValidationContext): ASTVisitor {
  const reportError = (error: GraphQLError) => {
    const { message, nodes } = error;
    const detail = detailOf(pathIn(context.getDocument(), nodes?.[0]), message);
    context.reportError(
      new GraphQLError(message, { nodes, extensions: { code: 'BAD_USER_INPUT', details: [detail] } }),
    );
  };
  return ValuesOfCorrectTypeRule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext);
}

/** The JSON length of variables beyond which only `FEW_FAULTS` of them are reported. */
export const LONG_VARIABLES = 8_192;
export const FEW_FAULTS = 3;

/**
 * The first faults of the variables of an operation. graphql-js quotes the whole value of a variable in each of its
 * faults, of which it would collect fifty.
 */
export function faultsOfVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Variables,
): readonly GraphQLError[] {
  const { errors = [] } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
    maxErrors: FEW_FAULTS,
  });
  return errors.slice(0, FEW_FAULTS);
}

/** Characters of a message beyond which it does not quote the value that it is about. */
export const LONG_MESSAGE = 2_000;
/** The name of the variable; the place and the fault, if both are short. */
const BEGINNING = /^Variable "\$\w+" got invalid value /;
const END = /(?: at "[^"]*")?; [^;]*$/s;

/**
 * A message of graphql-js about a variable, without its value if that is long: each of fifty faults of a variable would
 * quote the whole value.
 */
export function withoutLongValue(message: string): string {
  if (message.length <= LONG_MESSAGE) return message;
  const [beginning] = BEGINNING.exec(message) ?? [];
  if (beginning === undefined) return `${message.slice(0, LONG_MESSAGE)}…`;
  const [end] = END.exec(message.slice(-LONG_MESSAGE / 2)) ?? ['; it is too long to be quoted'];
  return `${beginning}…${end}`;
}

/** What graphql-js says of a variable: `input.actions[0].name` is the path behind `at`. The value may hold any text. */
const OF_VARIABLE = /^Variable "\$(\w+)" got invalid value (?:"(?:[^"\\]|\\.)*"|[^";])*?(?: at "(\1[^"]*)")?; (.*)$/s;
const ABOUT = /^(?:Variable "\$|Argument ")(\w+)" (.*)$/s;

/** The fault in a message of graphql-js about a variable or an argument; undefined for other messages. */
export function faultOfVariable(message: string): ErrorDetail | undefined {
  const [, variable, path, fault] = OF_VARIABLE.exec(message) ?? [];
  if (fault !== undefined) return detailOf((path ?? variable!).replaceAll(/\[(\d+)\]/g, '.$1'), fault);
  const [, name, rest] = ABOUT.exec(message) ?? [];
  return name === undefined ? undefined : detailOf(name, rest!);
}

const MISSING = /^(?:Field "(?:\w+\.)?(\w+)" )?of required type .* was not provided\.$/s;
const UNKNOWN = /^Field "(\w+)" is not defined by type /;
const NULL = /(?:found null\.|must not be null\.|not to be null\.)$/;

function detailOf(path: string, message: string): ErrorDetail {
  const missing = MISSING.exec(message);
  if (missing !== null) return { field: below(path, missing[1]), message: 'is required' };
  const unknown = UNKNOWN.exec(message);
  if (unknown !== null) return { field: below(path, unknown[1]), message: 'is unknown' };
  return { field: path, message: NULL.test(message) ? 'must not be null' : message };
}

/** The path of a field; a literal's path already ends with an unknown one. */
function below(path: string, name: string | undefined): string {
  return name === undefined || path.split('.').at(-1) === name ? path : `${path}.${name}`;
}

/** The names of arguments, fields and places in lists that lead to a node, joined by dots. */
function pathIn(document: DocumentNode, node: unknown): string {
  const names: (string | number)[] = [];
  let path = '';
  visit(document, {
    enter(entered, key, parent, _path, ancestors) {
      const name = nameOf(entered, key, parent, ancestors);
      if (name !== undefined) names.push(name);
      if (entered !== node) return undefined;
      path = names.join('.');
      return BREAK;
    },
    leave(left, key, parent, _path, ancestors) {
      if (nameOf(left, key, parent, ancestors) !== undefined) names.pop();
    },
  });
  return path;
}

type Visit = Parameters<ASTVisitFn<ASTNode>>;

function nameOf(node: Visit[0], key: Visit[1], parent: Visit[2], ancestors: Visit[4]): string | number | undefined {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name.value;
  const owner = Array.isArray(parent) ? ancestors.at(-1) : undefined;
  return owner !== undefined && 'kind' in owner && owner.kind === Kind.LIST ? key : undefined;
}
