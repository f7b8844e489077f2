import { type GraphQLEnumType } from 'graphql';
import { type JsonSchema } from './json-schema.js';
import { type Rephrase } from './words.js';

const PREFIX = '#/components/schemas/';

/** One selection of a GraphQL type. Different selections of a type become different schemas. */
interface Variant {
  typeName: string;
  /** A placeholder for the final name until all variants are known. */
  mark: string;
  schema: JsonSchema;
}

/** The schemas that operations refer to, each once. */
export class Components {
  private readonly named = new Map<string, JsonSchema>();
  private readonly variants = new Map<string, Variant>();

  constructor(private readonly rephrase: Rephrase) {}

  /** Adds a schema with a name of its own. */
  add(name: string, create: () => JsonSchema): JsonSchema {
    if (!this.named.has(name)) this.named.set(name, create());
    return { $ref: PREFIX + name };
  }

  /** The lower-case words of an enum, with their descriptions. */
  enumOf(type: GraphQLEnumType): JsonSchema {
    return this.add(type.name, () => {
      const values = type.getValues();
      const meanings = values.flatMap(({ value, description }) =>
        description ? [`- \`${String(value)}\`: ${this.rephrase(description)!}`] : [],
      );
      const description = [this.rephrase(type.description), meanings.join('\n')].filter(Boolean).join('\n\n');
      return { type: 'string', enum: values.map(({ value }) => value as string), description };
    });
  }

  /** One selection of an object type. Equal selections become one schema. */
  selection(typeName: string, schema: JsonSchema): JsonSchema {
    const key = `${typeName} ${JSON.stringify(schema)}`;
    let variant = this.variants.get(key);
    if (variant === undefined) {
      variant = { typeName, mark: `${PREFIX}${typeName}~${this.variants.size}~`, schema };
      this.variants.set(key, variant);
    }
    return { $ref: variant.mark };
  }

  /** The document with all schemas in it, and every reference under its final name. */
  finish<T extends object>(document: T): T {
    const names = this.nameVariants();
    const schemas = Object.fromEntries(
      [
        ...this.named,
        ...[...this.variants.values()].map(({ mark, schema }) => [names.get(mark)!, schema] as const),
      ].sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    const text = JSON.stringify(document, (key, value: unknown) => (key === 'schemas' ? schemas : value));
    return JSON.parse(text, (key, value: unknown) => {
      const name = key === '$ref' ? names.get(value as string) : undefined;
      return name === undefined ? value : PREFIX + name;
    }) as T;
  }

  /**
   * The largest selection of a type gets the type's name, a smaller one a qualified name, and one with the same keys, some
   * of which may be absent, that of an item of a list.
   */
  private nameVariants(): Map<string, string> {
    const names = new Map<string, string>();
    const taken = new Set(this.named.keys());
    const keys = ({ schema }: Variant): string[] => Object.keys(schema.properties as object);
    const required = ({ schema }: Variant): string[] => schema.required as string[];
    const largest = new Map<string, number>();
    const sorted = [...this.variants.values()].sort(
      (a, b) => keys(b).length - keys(a).length || required(b).length - required(a).length,
    );
    for (const variant of sorted) {
      const { typeName, mark } = variant;
      const [first, ...others] = required(variant);
      const isWhole = (largest.get(typeName) ?? 0) === keys(variant).length;
      if (!largest.has(typeName)) largest.set(typeName, keys(variant).length);
      const lesser = isWhole ? 'Item' : others.length === 0 ? pascal(first!) : 'Summary';
      const name = [typeName, typeName + lesser].find((candidate) => !taken.has(candidate));
      if (name === undefined) throw new Error(`${typeName} is selected in too many ways to name them.`);
      taken.add(name);
      names.set(mark, name);
    }
    return names;
  }
}

function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
