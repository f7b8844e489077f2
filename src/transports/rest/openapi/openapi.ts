import { STATUS_CODES } from 'node:http';
import { type GraphQLSchema } from 'graphql';
import { accessOf } from '../../../platform/graphql/access.js';
import { compileOperation, type Operation, viewSchema } from '../documents.js';
import { type AnswerBody, Answers } from './answers.js';
import { Components } from './components.js';
import { type ExampleObject, Examples } from './examples.js';
import { FRAME, headers, TAGS } from './frame.js';
import { type Input, Inputs } from './inputs.js';
import { describeConfigs } from './configs.js';
import { type Facts, type OpenApi } from './document.js';
import { described, type JsonSchema } from './json-schema.js';
import { ERROR_SCHEMA, Refusals, refusalsOf } from './refusals.js';
import { operationText } from './operation-text.js';
import { ResponseExamples } from './response-examples.js';
import { rephraseFor } from './words.js';
import { ROUTES, takesIdempotencyKey } from '../routes.js';
import { describeWebhooks } from './webhook-events.js';

const NOT_MODIFIED = {
  304: {
    description: 'The client has this version already: its `If-None-Match` names it. There is no body.',
    headers: headers('ETag'),
  },
};

/** REST `/v1` as OpenAPI, derived from the routes, their documents, the schema and the input rules; nothing by hand. */
export function buildOpenApi(schema: GraphQLSchema, facts: Facts): OpenApi {
  const view = viewSchema(schema);
  const rephrase = rephraseFor(schema);
  const components = new Components(rephrase);
  const inputs = new Inputs(view, components, rephrase);
  const examples = new Examples();
  const answers = new Answers(view, components, rephrase, new ResponseExamples(examples.types));
  const refusals = new Refusals();
  components.add('Error', () => ERROR_SCHEMA);

  const paths: OpenApi['paths'] = {};
  for (const route of ROUTES) {
    const operation = compileOperation(view, route);
    const taken = inputs.of(operation);
    const { request, response } = examples.ofOperation(route);
    const access = accessOf(operation.rootField.name.value)!;
    (paths[route.path] ??= {})[route.method.toLowerCase()] = {
      operationId: route.operation,
      tags: [route.feature],
      ...(access === 'person' ? { security: [{ session: [] }] } : {}),
      ...operationText(view, operation, rephrase),
      ...parametersOf(operation, taken, examples),
      ...bodyOf(taken, request),
      responses: {
        ...successes(operation, answers.of(operation, { ...request, ...response })),
        ...(route.method === 'GET' && operation.etag !== undefined ? NOT_MODIFIED : {}),
        ...Object.fromEntries(refusals.byStatus(refusalsOf(operation, access, taken))),
      },
    };
  }
  const tags = TAGS.filter(({ name }) => ROUTES.some(({ feature }) => feature === name));
  const { responses } = refusals;
  const document: OpenApi = components.finish({
    ...FRAME,
    tags,
    paths,
    components: { ...FRAME.components, schemas: {}, responses },
  });
  describeConfigs(document, facts);
  describeWebhooks(document, facts.events, examples);
  const schemas = Object.entries(document.components.schemas!).sort(([a], [b]) => (a < b ? -1 : 1));
  document.components.schemas = Object.fromEntries(schemas);
  return document;
}

function parametersOf(
  { route, takesIfMatch, etag }: Operation,
  inputs: readonly Input[],
  examples: Examples,
): { parameters: JsonSchema[] } {
  const parameters = inputs
    .filter((input) => input.in !== 'body')
    .map(({ in: place, name, required, description, schema }) => {
      const example = place === 'path' ? examples.ofPathParameter(route.path, name) : undefined;
      return described(
        {
          ...{ name, in: place, required, schema },
          // Commas separate the items.
          ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
          ...(example === undefined ? {} : { example }),
        },
        description,
      );
    });
  if (takesIfMatch) parameters.push({ $ref: '#/components/parameters/If-Match' });
  if (route.method === 'GET' && etag !== undefined) parameters.push({ $ref: '#/components/parameters/If-None-Match' });
  if (takesIdempotencyKey(route)) parameters.push({ $ref: '#/components/parameters/Idempotency-Key' });
  parameters.push({ $ref: '#/components/parameters/Prefer' });
  return { parameters };
}

function bodyOf(inputs: readonly Input[], example: ExampleObject | undefined): { requestBody?: JsonSchema } {
  const fields = inputs.filter((input) => input.in === 'body');
  if (fields.length === 0) return {};
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, schema, description }) => [name, described(schema, description)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
  const content = { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
  return { requestBody: { required: required.length > 0, content } };
}

function successes(
  { route, etag, isList }: Operation,
  bodies: ReadonlyMap<number, AnswerBody | undefined>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...bodies].map(([status, body]) => [
      status,
      {
        description: STATUS_CODES[status]!,
        headers: headers(
          ...(takesIdempotencyKey(route) ? (['Idempotent-Replayed'] as const) : []),
          ...(status === 201 ? (['Location'] as const) : []),
          ...(isList || (route.monitors && status === 200) ? (['Link'] as const) : []),
          ...(etag === undefined ? [] : (['ETag'] as const)),
        ),
        ...(body === undefined ? {} : { content: { 'application/json': body } }),
      },
    ]),
  );
}
