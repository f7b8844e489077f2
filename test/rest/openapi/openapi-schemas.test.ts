import { Ajv2020 } from 'ajv/dist/2020.js';
import { RestDocument } from '../../support/http/rest-document.js';

/** What generators, linters and proxies of others need of the schemas, beyond OpenAPI's own rules. */
const { document } = new RestDocument();

/** Each node of the document with its JSON pointer. */
function* nodesOf(value: unknown, pointer = ''): Generator<[pointer: string, node: Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* nodesOf(inner, `${pointer}/${key.replaceAll('/', '~1')}`);
}

const nodes = [...nodesOf(document)];
/** Every top-level schema; nested ones are checked with them. */
const schemas = nodes.flatMap(([pointer, node]): [string, object][] => {
  if (pointer === '/components/schemas') {
    return Object.entries(node).map(([name, schema]) => [`${pointer}/${name}`, schema as object]);
  }
  return 'schema' in node ? [[`${pointer}/schema`, node.schema as object]] : [];
});

describe('the schemas of the OpenAPI document', () => {
  it('are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(schemas.length).toBeGreaterThan(100);
    const faults = schemas.flatMap(([pointer, schema]) =>
      ajv.validateSchema(schema) === true ? [] : [`${pointer}: ${ajv.errorsText()}`],
    );
    expect(faults).toEqual([]);
  });

  it('are open, so that a new field of an answer breaks no client', () => {
    const closed = nodes.filter(([, node]) => node.additionalProperties === false || 'unevaluatedProperties' in node);
    expect(closed.map(([pointer]) => pointer)).toEqual([]);
  });

  it('have nothing beside a `$ref` that a tool may lose without harm but annotations', () => {
    const annotations = ['$ref', 'description', 'default'];
    const beside = nodes
      .filter(([, node]) => '$ref' in node)
      .flatMap(([pointer, node]) =>
        Object.keys(node)
          .filter((key) => !annotations.includes(key))
          .map((key) => `${pointer}: ${key}`),
      );
    expect(beside).toEqual([]);
  });

  it('name the codes of each refusal', () => {
    const { responses } = document.components as Record<string, Record<string, any>>;
    for (const [name, { content }] of Object.entries(responses!)) {
      const [error, own] = content['application/json'].schema.allOf;
      expect(error).toEqual({ $ref: '#/components/schemas/Error' });
      expect(own.properties.code.enum.toSorted().join('-or-')).toBe(name);
    }
  });
});
