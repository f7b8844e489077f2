import { type DocumentNode, getNullableType, type GraphQLInputType, type GraphQLSchema, isLeafType } from 'graphql';
import { type ErrorDetail } from '../../platform/errors.js';
import { faultsOfInput } from '../../platform/validation.js';
import { type Parameter } from './parameter.js';
import { placeClass } from './input-classes.js';
import { type RestWords, restWords } from './names.js';
import { variableUses } from './variable-uses.js';

/** The class of some parameters, and the property of each. */
interface RuledParameters {
  prototype: object;
  properties: readonly { parameter: Parameter; property: string }[];
}

/** The rules of the input classes that an operation's parameters become parts of. */
export class InputRules {
  private readonly ruled: readonly RuledParameters[];
  private readonly words: RestWords;

  constructor(schema: GraphQLSchema, document: DocumentNode, parameters: readonly Parameter[]) {
    this.words = restWords(schema);
    const uses = variableUses(schema, document);
    const found = parameters.flatMap((parameter) => {
      const use = uses.get(parameter.name);
      const { target, property } = use === undefined ? {} : placeClass(use.place);
      return target === undefined ? [] : [{ prototype: target.prototype as object, parameter, property: property! }];
    });
    this.ruled = [...Map.groupBy(found, ({ prototype }) => prototype)].map(([prototype, properties]) => ({
      prototype,
      properties,
    }));
  }

  /**
   * The faults of the given variables by these rules, in REST's names. GraphQL finds them too, but only when all
   * variables have their types: a client is to learn of all faults at once.
   */
  faultsOf(variables: Readonly<Record<string, unknown>>): ErrorDetail[] {
    return this.ruled.flatMap(({ prototype, properties }) => {
      const input = Object.create(prototype) as Record<string, unknown>;
      const names = new Map<string, string>();
      for (const { parameter, property } of properties) {
        const value = variables[parameter.name];
        if (value === undefined) continue;
        input[property] = internal(value, parameter.type);
        names.set(property, parameter.name);
      }
      return faultsOfInput(input, { skipUndefinedProperties: true }).flatMap(({ field, message }) => {
        const name = names.get(field);
        return name === undefined ? [] : [{ field: name, message: this.words(message) }];
      });
    });
  }
}

/** As resolvers get it: constants as their words, times as dates. */
function internal(value: unknown, type: GraphQLInputType): unknown {
  const inner = getNullableType<GraphQLInputType>(type);
  return value !== null && isLeafType(inner) ? inner.parseValue(value) : value;
}
