import {
  type GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Operation, VIEW } from '../documents.js';
import { type Parameter } from '../parameter.js';
import { toRestName } from '../names.js';
import { boundsAt } from './bounds.js';
import { type Components } from './components.js';
import { described, type JsonSchema, orNull } from './json-schema.js';
import { scalarAnswer } from './scalars.js';
import { variableUses } from '../variable-uses.js';
import { type Rephrase } from './words.js';

/** A parameter or body field of an operation. */
export interface Input {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  description: string | undefined;
  schema: JsonSchema;
  /** Whether it identifies a resource: an unknown id is 404, a foreign one 401. */
  isId: boolean;
}

const VIEW_INPUT: Input = {
  name: VIEW.name,
  in: 'query',
  required: false,
  description: 'With `full`, each row has all fields of the single resource.',
  schema: { type: 'string', enum: ['full'] },
  isId: false,
};

/** The inputs of operations, derived from the documents' variables and the places where those are used. */
export class Inputs {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly components: Components,
    private readonly rephrase: Rephrase,
  ) {}

  of({ route, document, parameters }: Operation): Input[] {
    const uses = variableUses(this.schema, document);
    return parameters.map((parameter) => {
      if (parameter === VIEW) return VIEW_INPUT;
      const use = uses.get(parameter.name);
      if (use === undefined) throw new Error(`${route.operation} does not use $${parameter.name}.`);
      const isPath = route.path.includes(`{${parameter.name}}`);
      const place = isPath ? 'path' : route.method === 'GET' ? 'query' : 'body';
      const { keywords, takesNull } = boundsAt(use.place);
      const fallback = parameter.default ?? use.default;
      // An operation that refuses unknown names refuses a null, too: it may be an empty variable.
      const refusesNull = place !== 'body' || (route.refusesUnknownNames === true && fallback === undefined);
      const input = { ...parameter, default: fallback, keywords, takesNull: takesNull && !refusesNull };
      return {
        name: parameter.name,
        in: place,
        required: isPath || (isNonNullType(parameter.type) && fallback === undefined),
        description: this.rephrase(use.description) ?? (isPath ? idOf(route.path, parameter.name) : undefined),
        schema: this.field(input),
        isId: nameOf(parameter.type) === 'ID' && place !== 'query',
      };
    });
  }

  private field(input: Parameter & { keywords: JsonSchema; takesNull: boolean }): JsonSchema {
    const schema = this.value(isNonNullType(input.type) ? input.type.ofType : input.type, input.keywords);
    const nullable = isNonNullType(input.type) || !input.takesNull ? schema : orNull(schema);
    return input.default === undefined ? nullable : { ...nullable, default: input.default };
  }

  private value(type: GraphQLInputType, keywords: JsonSchema = {}): JsonSchema {
    if (isNonNullType(type)) return this.value(type.ofType, keywords);
    if (isListType(type)) return { type: 'array', items: this.value(type.ofType) };
    if (isEnumType(type)) return this.enumOf(type, keywords.enum as readonly string[] | undefined);
    if (!isInputObjectType(type)) return { ...scalarAnswer(type), ...keywords };
    const fields = Object.values(type.getFields());
    return this.components.add(type.name, () => ({
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [
          toRestName(field.name),
          described(
            this.field({ ...field, default: field.defaultValue, ...boundsAt({ input: type.name, field: field.name }) }),
            this.rephrase(field.description),
          ),
        ]),
      ),
      required: fields
        .filter(({ type: inner, defaultValue }) => isNonNullType(inner) && defaultValue === undefined)
        .map(({ name }) => toRestName(name)),
    }));
  }

  /** The whole enum, or the subset that this place accepts. */
  private enumOf(type: GraphQLEnumType, words: readonly string[] | undefined): JsonSchema {
    const whole = words === undefined || words.length === type.getValues().length;
    return whole ? this.components.enumOf(type) : { type: 'string', enum: words };
  }
}

function nameOf(type: GraphQLInputType): string {
  return String(isNonNullType(type) ? type.ofType : type);
}

/** `/integrations/{id}`: "The id of the integration." */
function idOf(path: string, name: string): string {
  const segment = path.split(`/{${name}}`, 1)[0]!.split('/').at(-1)!;
  return `The id of the ${segment
    .replace(/s$/, '')
    .replaceAll('_', ' ')
    .replace(/^api /, 'API ')
    .replace(/^bulk$/, 'bulk operation')}.`;
}
