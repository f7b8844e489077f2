import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, breakingChanges, unnamed } from '../../scripts/release/breaking-changes.js';
import { released, unreleased } from '../../scripts/release/changelog.js';
import { packageRoot } from '../../src/platform/package-root.js';

const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
const api = (folder: string): Api => ({
  schema: read(`${folder}/schema.graphql`),
  openApi: read(`${folder}/openapi.json`),
});

describe('the API since the last release', () => {
  // Before the first release there is nothing to compare with: the API is compatible with itself.
  const last = existsSync(join(packageRoot, 'schema/released')) ? 'schema/released' : 'schema';

  it('breaks no client, or the changelog names the change', () => {
    expect(unnamed(breakingChanges(api(last), api('schema')), unreleased(read('CHANGELOG.md')))).toEqual([]);
  });
});

describe('a breaking change', () => {
  const now = api('schema');
  const subjects = (after: Api) => breakingChanges(now, after).map(({ subject }) => subject);
  const rest = (edit: (document: OpenApi) => void): Api => {
    const document = JSON.parse(now.openApi) as OpenApi;
    edit(document);
    return { ...now, openApi: JSON.stringify(document) };
  };

  it('is found where GraphQL loses a field, a value or an optional argument', () => {
    const bare = now.schema.replace(/^ *"""[^]*?"""\n/gm, '');
    const without = (line: RegExp) => ({ ...now, schema: bare.replace(line, '') });
    expect(subjects(without(/^ {2}runCount: .*\n/m))).toEqual(['Workflow.runCount']);
    expect(subjects(without(/(?<=^enum WorkflowStatus \{[^}]*)^ {2}ARCHIVED\n/m))).toContain('WorkflowStatus');
    const required = now.schema.replace(/(?<=^input UpdateWorkflowInput \{[^}]*^ {2}name: String)$/m, '!');
    expect(required).not.toBe(now.schema);
    expect(subjects({ ...now, schema: required })).toEqual(['UpdateWorkflowInput.name']);
  });

  it('is found where REST loses a path, a parameter, a field or a status', () => {
    const list = (document: OpenApi) => document.paths['/workflows']!.get!;
    expect(subjects(rest(({ paths }) => delete paths['/workflows/{id}']!.put))).toEqual(['PUT /v1/workflows/{id}']);
    expect(subjects(rest((document) => list(document).parameters.shift()))).toEqual(['GET /v1/workflows']);
    expect(subjects(rest((document) => delete list(document).responses['200']))).toEqual(['GET /v1/workflows']);
    const lacking = rest(({ components }) => delete components.schemas.WorkflowSummary!.properties.run_count);
    expect(subjects(lacking)).toEqual(expect.arrayContaining(['POST /v1/workflows', 'PUT /v1/workflows/{id}']));
  });

  it('is found where REST demands more', () => {
    const changed = rest(({ paths }) => {
      paths['/workflows']!.get!.parameters.push({ name: 'account', in: 'query', required: true });
    });
    expect(breakingChanges(now, changed)).toEqual([
      { subject: 'GET /v1/workflows', description: 'GET /v1/workflows: now requires the query account' },
    ]);
  });

  it('is none where something is added', () => {
    const added = rest(({ paths }) => {
      paths['/workflows']!.get!.parameters.push({ name: 'colour', in: 'query' });
      paths['/colours'] = paths['/workflows']!;
    });
    expect(subjects({ ...added, schema: `${now.schema}\ntype Colour { name: String }` })).toEqual([]);
  });

  it.each([
    'BREAKING: GET /v1/workflows',
    '- BREAKING: `GET /v1/workflows`: reads need an account.',
    'BREAKING: GET /v1/workflows: x.',
  ])('may happen when the changelog says so: %s', (line) => {
    const changes = [
      { subject: 'GET /v1/workflows', description: '' },
      { subject: 'Query.runs', description: '' },
    ];
    expect(unnamed(changes, `Text.\n\n${line}\n`).map(({ subject }) => subject)).toEqual(['Query.runs']);
  });

  it.each(['BREAKING: Query.runs', '- BREAKING: `Query.runs` takes no page.', 'BREAKING: Query.runs: gone.'])(
    'may be named with a dot in it: %s',
    (line) => {
      expect(unnamed([{ subject: 'Query.runs', description: '' }], line)).toEqual([]);
      expect(unnamed([{ subject: 'Query.run', description: '' }], line)).toHaveLength(1);
    },
  );

  it('is found where an event is lost, or its body changes', () => {
    const edited = rest(({ webhooks, components }) => {
      delete webhooks['run.canceled'];
      const { properties } = body(webhooks['run.waiting']!);
      properties.type = { type: 'string', const: 'run.waits' };
      const { parameters } = webhooks['run.failed']!.post!;
      parameters.splice(
        parameters.findIndex(({ name }) => name === 'webhook-signature'),
        1,
      );
      delete components.schemas.WorkflowEventData!.properties.name;
    });
    expect(breakingChanges(now, edited)).toEqual(
      expect.arrayContaining([
        { subject: 'run.canceled', description: 'run.canceled: is no longer sent' },
        { subject: 'run.failed', description: 'run.failed: lacks the header webhook-signature' },
        {
          subject: 'run.waiting',
          description: 'run.waiting: may give "run.waits" for the field type of its body',
        },
        { subject: 'workflow.created', description: 'workflow.created: its body lacks the field data.name' },
      ]),
    );
  });

  it('is found where a type changes', () => {
    const edited = rest(({ paths, components }) => {
      const page = paths['/workflows']!.get!.parameters.find(({ name }) => name === 'page')!;
      page.schema = { type: 'string' };
      body(paths['/workflows']!).properties.name = { type: 'integer' };
      components.schemas.Run!.properties.attempt = { type: ['integer', 'null'] };
    });
    expect(breakingChanges(now, edited)).toEqual(
      expect.arrayContaining([
        {
          subject: 'GET /v1/workflows',
          description: 'GET /v1/workflows: no longer takes the type integer for the query page',
        },
        {
          subject: 'POST /v1/workflows',
          description: 'POST /v1/workflows: no longer takes the type string for the field name of the body',
        },
        {
          subject: 'GET /v1/runs/{id}',
          description: 'GET /v1/runs/{id}: may give the type null for the field attempt of 200',
        },
      ]),
    );
  });

  it('is found where an enum loses a value that a request takes, or gains one that a response gives', () => {
    const values = (edit: (list: unknown[]) => unknown) =>
      breakingChanges(
        now,
        rest(({ components }) => void edit(components.schemas.WorkflowStatus!.enum!)),
      );
    const filter = 'GET /v1/workflows: no longer takes "paused" for the query status';
    const lostValue = values((list) => list.splice(list.indexOf('paused'), 1)).map(({ description }) => description);
    expect(lostValue).toContain(filter);
    expect(lostValue.filter((text) => /may give/.test(text))).toEqual([]);
    const given = values((list) => list.push('broken')).map(({ description }) => description);
    expect(given).toContain('GET /v1/workflows/{id}: may give "broken" for the field status of 200');
    expect(given.filter((text) => /no longer/.test(text))).toEqual([]);
    const grown = (type: string) =>
      subjects({ ...now, schema: now.schema.replace(`enum ${type} {`, `enum ${type} {\n  NEW`) });
    expect(grown('WorkflowStatus')).toEqual(['WorkflowStatus']);
    expect(grown('RetryFrom')).toEqual([]);
  });

  it('is found where an operation loses a status or a code of errors, and no new code is one', () => {
    const edited = rest(({ paths, components }) => {
      delete paths['/workflows/{id}']!.get!.responses['404'];
      const codes = components.responses.conflict!.content['application/json'].schema.allOf[1]!.properties.code!;
      codes.enum = ['fight'];
      components.schemas.Error!.properties.code!.enum!.push('fight');
    });
    const texts = breakingChanges(now, edited).map(({ description }) => description);
    expect(texts).toContain('GET /v1/workflows/{id}: no longer answers 404');
    expect(texts).toContainEqual(expect.stringMatching(/no longer gives "conflict" for the field code of 409$/));
    expect(texts.filter((text) => text.includes('fight'))).toEqual([]);
  });

  it('is found where a response may lack a field that it always had', () => {
    const edited = rest(({ components }) => {
      const { required } = components.schemas.Run!;
      required!.splice(required!.indexOf('attempt'), 1);
    });
    const description = 'GET /v1/runs/{id}: may lack the field attempt of 200';
    expect(breakingChanges(now, edited)).toContainEqual({ subject: 'GET /v1/runs/{id}', description });
  });
});

describe('the changelog of a release', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 – 2026-01-01\n\n- Old.\n';

  it('moves what was unreleased below the version and its day', () => {
    expect(released(before, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 – 2026-12-01\n\n- New.\n\n## 0.1.0 – 2026-01-01\n\n- Old.\n',
    );
  });

  it('refuses a release without changes', () => {
    const after = released(before, '0.2.0', '2026-12-01');
    expect(() => released(after, '0.3.0', '2026-12-02')).toThrow('names no change');
    expect(() => unreleased('# Changelog\n')).toThrow('no section');
  });
});

function body({ post }: Record<string, Operation>): { properties: Record<string, Schema> } {
  return post!.requestBody!.content['application/json'].schema;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties: Record<string, Schema>; required?: string[]; enum?: unknown[] }>;
    responses: Record<
      string,
      { content: { 'application/json': { schema: { allOf: { properties: Record<string, Schema> }[] } } } }
    >;
  };
}

interface Operation {
  parameters: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: { 'application/json': { schema: { properties: Record<string, Schema> } } } };
  responses: Record<string, unknown>;
}

interface Schema {
  type?: string | string[];
  const?: string;
  enum?: unknown[];
}
