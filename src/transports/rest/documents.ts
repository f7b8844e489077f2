import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  DirectiveLocation,
  type FieldNode,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLObjectType,
  GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedDirectives,
  typeFromAST,
  validate,
  valueFromAST,
} from 'graphql';
import { measure, type OperationFacts } from '../graphql/documents/document-facts.js';
import { packageRoot } from '../../platform/package-root.js';
import { InputRules } from './input-rules.js';
import { OMITTING_DIRECTIVES } from './omission.js';
import { type Parameter } from './parameter.js';
import { type Route } from './routes.js';
import { compileShape, HEADER_DIRECTIVES, headerOf, type Shape } from './shape.js';

/**
 * `@etag`: the value becomes the response's `ETag`. `@monitor`: it is read for the `Link` with `rel="monitor"`, see
 * `monitorLink`. Neither is part of the body.
 */
const headerDirectives = HEADER_DIRECTIVES.map(
  (name) => new GraphQLDirective({ name, locations: [DirectiveLocation.FIELD] }),
);
/** The variable that carries the tag of a request's `If-Match`; not part of its body. */
export const IF_MATCH = 'ifMatch';
/** The variable that is true for a list that begins behind an item; not part of its query. */
export const CONTINUES = 'continues';
/** The variable that is true for a list whose rows are as at the single resource; of `view=full`. */
export const FULL = 'full';

/** The query parameter of such a list. It is none of its document's variables. */
export const VIEW: Parameter = {
  name: 'view',
  type: new GraphQLEnumType({ name: 'View', values: { FULL: { value: 'full' } } }),
  default: undefined,
};
/** The key of a response that holds the list of a root field. */
export const LIST_KEY = 'data';
const OWN = new Set([IF_MATCH, CONTINUES, FULL]);

/** A route with its document, parsed, validated and compiled. */
export interface Operation {
  route: Route;
  document: DocumentNode;
  /** The one root field, e.g. `workflows`. */
  rootField: FieldNode;
  parameters: readonly Parameter[];
  /** The parameters of the query or the body. */
  fields: readonly Parameter[];
  /** Whether the route honours `If-Match`. */
  takesIfMatch: boolean;
  /** Whether the answer is a page of a list, with a `meta`. */
  isList: boolean;
  /** Whether it takes `VIEW`. */
  hasViews: boolean;
  /** The result key whose value becomes the response's `ETag`. */
  etag: string | undefined;
  shape: Shape;
  rules: InputRules;
  /** Its measurements, for the weight of its requests. */
  facts: OperationFacts;
}

/** The schema for validating REST documents: the gateway's, with the directives above. */
export function viewSchema(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...specifiedDirectives, ...OMITTING_DIRECTIVES, ...headerDirectives],
  });
}

/** Reads the document of a route. @throws Error when it is missing or breaks a rule of these documents. */
export function compileOperation(schema: GraphQLSchema, route: Route): Operation {
  const document = parse(readDocument(route));
  const [fault] = validate(schema, document);
  if (fault !== undefined) throw new Error(`${route.operation}: ${fault.message}`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const [rootField, ...others] = operation.selectionSet.selections;
  if (operation.name?.value !== route.operation || document.definitions.length > 1) {
    throw new Error(`${route.operation}: the file must contain exactly one operation, with the file's name.`);
  }
  if (rootField?.kind !== Kind.FIELD || rootField.alias?.value !== 'result' || others.length > 0) {
    throw new Error(`${route.operation}: only one root field is allowed, with the alias "result".`);
  }
  const parameters = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const inputType = typeFromAST(schema, type) as GraphQLInputType;
    return {
      name: variable.name.value,
      type: inputType,
      default: defaultValue === undefined ? undefined : valueFromAST(defaultValue, inputType),
    };
  });
  const hasViews = parameters.some(({ name }) => name === FULL);
  const own = [...parameters.filter(({ name }) => !OWN.has(name)), ...(hasViews ? [VIEW] : [])];
  return {
    route,
    document,
    rootField,
    parameters: own,
    fields: own.filter(({ name }) => !route.path.includes(`{${name}}`)),
    takesIfMatch: parameters.some(({ name }) => name === IF_MATCH),
    isList: parameters.some(({ name }) => name === CONTINUES),
    hasViews,
    etag: etagKeyOf(rootField),
    shape: shapeOf(schema, schema.getRootType(operation.operation)!, rootField, route),
    rules: new InputRules(schema, document, own),
    facts: measure(schema, document).operations[0]!,
  };
}

function shapeOf(schema: GraphQLSchema, root: GraphQLObjectType, rootField: FieldNode, { below }: Route): Shape {
  const shape = compileShape(schema, root, rootField);
  if (isListType(getNullableType(root.getFields()[rootField.name.value]!.type)))
    return (value) => ({ [LIST_KEY]: shape(value) });
  return below === undefined ? shape : (value) => (shape(value) as Record<string, unknown>)[below];
}

/** The result key of the field that becomes the `ETag`. */
function etagKeyOf({ selectionSet }: FieldNode): string | undefined {
  const field = selectionSet?.selections.find((selection) => headerOf(selection) === 'etag');
  return field?.kind === Kind.FIELD ? (field.alias ?? field.name).value : undefined;
}

function readDocument({ feature, operation }: Route): string {
  return readFileSync(join(packageRoot, 'schema/rest', feature, `${operation}.graphql`), 'utf8');
}
