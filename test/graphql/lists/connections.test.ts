import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { type Client } from '../../support/http/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { connectionFields } from './connection-fields.js';
import { pendingWait } from '../../support/worlds/pending-wait.js';
import { signedIn } from '../../support/worlds/people.js';

/** The items of each list, newest first. */
const SIZE = 7;

let isLogged = true;
let server: TestServer;
let client: Client;
/** How to add an item to each list, and how to delete one. */
/** Arguments that a list requires. */
let required: Record<string, string>;
let changes: Record<string, { add: () => Promise<unknown>; drop: (id: string) => Promise<unknown> }>;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
  // A person may also read the audit log.
  ({ client } = await signedIn(server));
  const make = async (path: string, body: object = {}) => {
    const answer = await client.rest('POST', path, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string>;
  };
  const { id: workflow_id } = await make('/workflows', { name: 'w', status: 'active' });
  const drop = (path: string) => (id: string) => client.rest('DELETE', `${path}/${id}`);
  const webhook = { url: 'http://127.0.0.1:1/', events: ['run.succeeded'] };
  const { id: tested } = await make('/webhooks', { ...webhook, events: ['run.failed'] });
  await make('/triggers', { workflow_id, type: 'manual' });
  const { id: run } = await make(`/workflows/${workflow_id}/runs`);
  changes = {
    workflow: { add: () => make('/workflows', { name: 'w' }), drop: drop('/workflows') },
    integration: {
      add: () => make('/integrations/connect', { type: 'sandbox_oauth' }),
      drop: drop('/integrations'),
    },
    trigger: { add: () => make('/triggers', { workflow_id, type: 'manual' }), drop: drop('/triggers') },
    run: {
      add: () => make(`/workflows/${workflow_id}/runs`),
      drop: (id) => server.db.query(`DELETE FROM runs WHERE id = $1`, [fromPublicId('run', id)]),
    },
    wait: {
      add: () => pendingWait(server.db, run!),
      drop: (id) => server.db.query(`DELETE FROM waits WHERE id = $1`, [fromPublicId('wait', id)]),
    },
    webhook: { add: () => make('/webhooks', webhook), drop: drop('/webhooks') },
    delivery: {
      add: () => make(`/webhooks/${tested}/test`),
      drop: (id) => server.db.query(`DELETE FROM webhook_deliveries WHERE id = $1`, [fromPublicId('dlv', id)]),
    },
    auditLog: {
      add: () => client.rest('PUT', '/account', { body: { event_log: (isLogged = !isLogged) } }),
      drop: (id) =>
        server.db.transaction(async (tx) => {
          // The service itself can delete no entry.
          await tx.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_is_kept');
          await tx.query(`DELETE FROM audit_log WHERE id = $1`, [fromPublicId('aud', id)]);
          await tx.query('ALTER TABLE audit_log ENABLE TRIGGER audit_log_is_kept');
        }),
    },
  };
  required = { delivery: `webhookId: "${tested}"`, auditLog: 'action: "account.updated"' };
  for (const [name, { add }] of Object.entries(changes)) {
    for (let total = (await read(name, '')).totalCount; total < SIZE; total += 1) await add();
  }
});
afterAll(() => server.close());

it('every connection of the schema is tested', () => {
  expect(connectionFields().sort()).toEqual(
    Object.keys(changes)
      .map((name) => `${name}Connection`)
      .sort(),
  );
});

describe.each(['workflow', 'integration', 'trigger', 'run', 'wait', 'webhook', 'delivery', 'auditLog'])(
  '%sConnection',
  (name) => {
    it('is read whole forwards and backwards, in the order of the list', async () => {
      const all = await idsOf(name, 'first: 100');
      expect(all).toHaveLength(SIZE);
      expect(all).toEqual(all.toSorted().reverse());
      expect(await idsOf(name, '')).toEqual(all);
      const forwards: string[] = [];
      let next: string | null = '';
      for (const seen of [3, 6, 7]) {
        const { edges, pageInfo } = await read(name, `first: 3${next && `, after: "${next}"`}`);
        forwards.push(...edges.map(({ node }) => node.id));
        expect([forwards.length, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([seen, seen < 7, seen > 3]);
        expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]!.cursor, edges.at(-1)!.cursor]);
        next = pageInfo.endCursor;
      }
      expect(forwards).toEqual(all);
      const backwards: string[] = [];
      let before: string | null = '';
      for (const seen of [3, 6, 7]) {
        const { edges, pageInfo } = await read(name, `last: 3${before && `, before: "${before}"`}`);
        backwards.unshift(...edges.map(({ node }) => node.id));
        expect([backwards.length, pageInfo.hasPreviousPage, pageInfo.hasNextPage]).toEqual([seen, seen < 7, seen > 3]);
        before = pageInfo.startCursor;
      }
      expect(backwards).toEqual(all);
    });

    it('is cut at both ends', async () => {
      const all = await idsOf(name, '');
      const between = `after: "${all[1]}", before: "${all[5]}"`;
      expect(await idsOf(name, between)).toEqual(all.slice(2, 5));
      expect(await idsOf(name, `first: 2, ${between}`)).toEqual(all.slice(2, 4));
      expect(await idsOf(name, `last: 2, ${between}`)).toEqual(all.slice(3, 5));
      const { pageInfo } = await read(name, `first: 3, ${between}`);
      expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    });

    it('goes on behind an item that was deleted, beside others that were created', async () => {
      const { edges, pageInfo } = await read(name, 'first: 3');
      const rest = await idsOf(name, `after: "${pageInfo.endCursor}"`);
      await changes[name]!.drop(edges.at(-1)!.node.id);
      await changes[name]!.add();
      expect(await idsOf(name, `after: "${pageInfo.endCursor}"`)).toEqual(rest);
      expect((await read(name, '')).totalCount).toBe(SIZE);
    });

    it('without items says what is on the other side', async () => {
      const all = await idsOf(name, '');
      const behind = await read(name, `after: "${all.at(-1)}"`);
      expect(behind).toEqual({
        edges: [],
        pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
        totalCount: SIZE,
      });
      const ahead = await read(name, `last: 2, before: "${all[0]}"`);
      expect(ahead.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false, startCursor: null });
      expect((await read(name, 'first: 0')).pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    });

    it.each([
      ['first: 1, last: 1', 'last', 'cannot be combined with first'],
      ['first: 101', 'first', 'must be at most 100'],
      ['last: -1', 'last', 'must be at least 0'],
      ['after: "usr_01h455vb4pex5vsknk084sn02q"', 'after', 'must be an id that begins with'],
      ['before: "nonsense"', 'before', 'must be an id that begins with'],
    ])('refuses (%s)', async (args, field, message) => {
      const { body } = await client.graphql(`{ ${name}Connection(${argsOf(name, args)}) { totalCount } }`);
      expect(body.errors!.map(({ extensions }) => extensions)).toMatchObject([
        { code: 'VALIDATION_ERROR', details: [{ field, message: expect.stringContaining(message) }] },
      ]);
    });
  },
);

it('the filters of a list hold for its connection', async () => {
  const { edges } = await read('workflow', 'status: ACTIVE');
  expect(edges).toHaveLength(1);
  expect((await read('workflow', 'status: ACTIVE')).totalCount).toBe(1);
  expect(await idsOf('trigger', `workflowId: "${edges[0]!.node.id}", first: 2`)).toHaveLength(2);
  expect(await idsOf('run', 'status: FAILED')).toEqual([]);
  expect(await idsOf('integration', 'type: "sandbox_api_key"')).toEqual([]);
  expect(await idsOf('workflow', 'search: "w", last: 2')).toEqual((await idsOf('workflow', '')).slice(-2));
});

interface Read {
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  totalCount: number;
}

function argsOf(name: string, args: string): string {
  return [required[name] ?? '', args].filter((arg) => arg !== '').join(', ');
}

async function read(name: string, args: string): Promise<Read> {
  const given = argsOf(name, args);
  const { body } = await client.graphql(
    `{ list: ${name}Connection${given && `(${given})`} {
      edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`,
  );
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data.list as Read;
}

async function idsOf(name: string, args: string): Promise<string[]> {
  return (await read(name, args)).edges.map(({ node }) => node.id);
}
