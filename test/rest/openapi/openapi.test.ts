import { Validator } from '@seriousme/openapi-schema-validator';
import { buildGatewaySchema } from '../../../src/transports/graphql/schema.js';
import { ROUTES } from '../../../src/transports/rest/routes.js';
import { openApiOf } from '../../../scripts/emit/open-api.js';
import { wiredFeatures } from '../../../scripts/emit/wiring.js';
import { RestDocument } from '../../support/http/rest-document.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const rest = new RestDocument();
const operationOf = (id: string): any =>
  Object.values(rest.document.paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)!;
const bodyOf = (id: string) => operationOf(id).requestBody.content['application/json'].schema;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...structuredClone(rest.document) });
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.1');
  });

  it('is what the code says', async () => {
    const schema = buildGatewaySchema((await wiredFeatures()).resolvers);
    expect(rest.document).toEqual(JSON.parse(JSON.stringify(openApiOf(schema))));
  });

  it('has every route under its operation', () => {
    const named = ROUTES.map(({ method, path, operation }) => [method, path, operation].join(' ')).sort();
    expect(
      rest.operations.map(({ method, path, operationId }) => [method, path, operationId].join(' ')).sort(),
    ).toEqual(named);
  });

  it('has no dangling reference and no unused component', () => {
    const text = JSON.stringify(rest.document);
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/[^"]+)"/g)].map(([, name]) => name));
    const { securitySchemes: _, ...components } = rest.document.components;
    const there = Object.entries(components).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `${kind}/${name}`),
    );
    expect([...referred].sort()).toEqual(there.sort());
  });

  it('speaks of constants and fields in the words of REST', () => {
    const words = [...JSON.stringify(rest.document).matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => /^([A-Z]+(_[A-Z]+)*|[a-z]+[A-Z][A-Za-z]*)$/.test(word))).toEqual([]);
  });
});

describe('what it says of requests', () => {
  it('takes types, defaults and bounds from the schema and the rules of its inputs', () => {
    expect(operationOf('ListWorkflows').parameters).toEqual([
      {
        name: 'page',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: { type: 'integer', minimum: 1, default: 1 },
      },
      {
        name: 'per_page',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'after',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: { type: 'string' },
      },
      {
        name: 'status',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: { $ref: '#/components/schemas/WorkflowStatus' },
      },
      {
        name: 'search',
        in: 'query',
        required: false,
        description: expect.any(String),
        schema: { type: 'string', maxLength: 255 },
      },
      {
        name: 'view',
        in: 'query',
        required: false,
        schema: { type: 'string', enum: ['full'] },
        description: 'With `full`, each row has all fields of the single resource.',
      },
      { $ref: '#/components/parameters/Prefer' },
    ]);
    expect(operationOf('ListWorkflowRuns').parameters[2].schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    });
  });

  it('has the bounds, the words and the nulls that a body field may take', () => {
    const created = bodyOf('CreateWorkflow');
    expect(created.required).toEqual(['name']);
    expect(created.properties).toEqual({
      failure_notice_after: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 100,
        description: expect.any(String),
      },
      name: { type: 'string', minLength: 1, maxLength: 255, description: '1 to 255 characters.' },
      description: { type: ['string', 'null'], maxLength: 1000, description: expect.any(String) },
      status: { type: 'string', enum: ['active', 'draft'], default: 'draft', description: '`active` or `draft`.' },
    });
    const updated = bodyOf('UpdateWorkflow');
    expect(updated.required).toBeUndefined();
    expect(updated.properties.name.type).toBe('string');
    expect(updated.properties.description.type).toEqual(['string', 'null']);
  });
});

describe('what it says of answers', () => {
  it('leaves out what is absent, and allows null only where it can be', () => {
    const { Workflow, Integration } = rest.document.components.schemas as Record<string, any>;
    expect(Workflow.required).toEqual([
      'id',
      'name',
      'status',
      'failure_notice_after',
      'created_at',
      'updated_at',
      'run_count',
    ]);
    expect(Workflow.properties.description.type).toBe('string');
    expect(Integration.properties.connected_at).toMatchObject({ type: ['string', 'null'], format: 'date-time' });
    expect(Integration.required).not.toContain('scopes');
  });

  it('finds an answer that is not documented', () => {
    const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'a', etag: '"a"' });
    const workflow = {
      id: 'wf_1',
      name: 'n',
      status: 'draft',
      failure_notice_after: 3,
      created_at: '2026-11-21T09:00:00.000Z',
      updated_at: '2026-11-21T09:00:00.000Z',
      run_count: 0,
    };
    const faults = (status: number, body: unknown) =>
      rest.faultsOf('GET', '/workflows/wf_1?x=1', { status, headers, body });
    expect(faults(200, workflow)).toEqual([]);
    expect(faults(200, { ...workflow, secret: 1 })).toHaveLength(1);
    expect(faults(200, { ...workflow, status: 'DRAFT' })).toHaveLength(1);
    expect(faults(200, { ...workflow, created_at: 'yesterday' })).toHaveLength(1);
    expect(faults(200, { ...workflow, description: null })).toHaveLength(1);
    expect(faults(404, { code: 'conflict', message: '' })).toHaveLength(1);
    expect(faults(418, {})).toEqual(['GetWorkflow does not name 418']);
    expect(
      rest.faultsOf('GET', '/workflows/wf_1', { status: 200, headers: new Headers(), body: workflow }),
    ).not.toEqual([]);
    expect(rest.faultsOf('GET', '/nothing', { status: 200, headers, body: {} })).toHaveLength(1);
  });
});

describe('/openapi.json', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('is served without a key', async () => {
    const answer = await fetch(`${server.baseUrl}/openapi.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await answer.json()).toEqual({ ...rest.document, servers: [{ url: `${server.baseUrl}/v1` }] });
  });
});
