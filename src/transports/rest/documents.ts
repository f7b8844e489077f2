import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  DirectiveLocation,
  type FieldNode,
  GraphQLDirective,
  type GraphQLInputType,
  type GraphQLObjectType,
  GraphQLSchema,
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
import { OMITTING_DIRECTIVES } from './omission.js';
import { type Route } from './routes.js';
import { compileShape, isEtag, type Shape } from './shape.js';

/** The value is the answer's `ETag`, and no part of its body. */
const etag = new GraphQLDirective({ name: 'etag', locations: [DirectiveLocation.FIELD] });
/** The variable that is the tag of a request's `If-Match`, and no part of its body. */
export const IF_MATCH = 'ifMatch';

/** A variable of a document: the name is REST's. */
export interface Parameter {
  name: string;
  type: GraphQLInputType;
  /** Used when the parameter is absent; undefined when there is none. */
  default: unknown;
}

/** A route with its document, parsed, validated and compiled. */
export interface Operation {
  route: Route;
  document: DocumentNode;
  /** The one root field, e.g. `workflows`. */
  rootField: FieldNode;
  parameters: readonly Parameter[];
  /** Those of the query or the body. */
  fields: readonly Parameter[];
  /** Whether `If-Match` is looked at. */
  takesIfMatch: boolean;
  /** The key, in the result, of what is the answer's `ETag`. */
  etag: string | undefined;
  shape: Shape;
  /** What it asks for, by which its requests are weighed. */
  facts: OperationFacts;
}

/** The schema that REST documents are validated against: the gateway's, with the directives of the view. */
export function viewSchema(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({
    ...schema.toConfig(),
    directives: [...specifiedDirectives, ...OMITTING_DIRECTIVES, etag],
  });
}

/** Reads the document of a route. @throws Error at boot when it is missing or breaks a rule of the view. */
export function compileOperation(schema: GraphQLSchema, route: Route): Operation {
  const document = parse(readDocument(route));
  const [fault] = validate(schema, document);
  if (fault !== undefined) throw new Error(`${route.operation}: ${fault.message}`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const [rootField, ...others] = operation.selectionSet.selections;
  if (operation.name?.value !== route.operation || document.definitions.length > 1) {
    throw new Error(`${route.operation}: the file must hold the one operation of its name.`);
  }
  if (rootField?.kind !== Kind.FIELD || rootField.alias?.value !== 'result' || others.length > 0) {
    throw new Error(`${route.operation}: one root field, aliased "result", is allowed.`);
  }
  const parameters = (operation.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const inputType = typeFromAST(schema, type) as GraphQLInputType;
    return {
      name: variable.name.value,
      type: inputType,
      default: defaultValue === undefined ? undefined : valueFromAST(defaultValue, inputType),
    };
  });
  const own = parameters.filter(({ name }) => name !== IF_MATCH);
  return {
    route,
    document,
    rootField,
    parameters: own,
    fields: own.filter(({ name }) => !route.path.includes(`{${name}}`)),
    takesIfMatch: parameters.some(({ name }) => name === IF_MATCH),
    etag: etagOf(rootField),
    shape: shapeOf(schema, schema.getRootType(operation.operation)!, rootField, route),
    facts: measure(schema, document).operations[0]!,
  };
}

function shapeOf(schema: GraphQLSchema, root: GraphQLObjectType, rootField: FieldNode, { below }: Route): Shape {
  const shape = compileShape(schema, root, rootField);
  return below === undefined ? shape : (value) => (shape(value) as Record<string, unknown>)[below];
}

function etagOf({ selectionSet }: FieldNode): string | undefined {
  const field = selectionSet?.selections.find(isEtag);
  return field?.kind === Kind.FIELD ? (field.alias ?? field.name).value : undefined;
}

function readDocument({ feature, operation }: Route): string {
  return readFileSync(join(packageRoot, 'schema/rest', feature, `${operation}.graphql`), 'utf8');
}
