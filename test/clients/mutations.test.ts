import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { ClientWorld } from './client-world.js';
import { describeWith } from './guide.js';
import { StandIn } from './away/stand-in.js';

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
  world.copy.write('package.json', '{ "type": "module" }');
});
afterEach(() => world.start());
afterAll(() => world.close());

const made = async () =>
  (await world.client.rest('GET', '/workflows?per_page=100')).body.data.filter(
    ({ name }: { name: string }) => name === 'Created once',
  ).length as number;

function mutations(names: readonly string[]): void {
  it.each(names)('%s creates once, though it is repeated while the service is away', async (name) => {
    const before = await made();
    const repeated = await world.away();
    const creating = world.copy.start(name, { IDEMPOTENCY_KEY: name });
    await until(() => repeated.length > 1);
    await world.start();
    expect([await creating.exit, creating.lines, creating.errors]).toEqual([0, [expect.stringMatching(/^wf_/)], '']);
    // The same key has the same response, and a new one another.
    expect(await world.copy.run(name, { IDEMPOTENCY_KEY: name })).toEqual(creating.lines);
    expect(await made()).toBe(before + 1);
    expect(await world.copy.run(name)).not.toEqual(creating.lines);
  });

  it.each(names)('%s goes on while its first request is in flight', async (name) => {
    const key = `${name}-in-flight`;
    await world.copy.run(name, { IDEMPOTENCY_KEY: key });
    const rows = await world.service.db.query<{ digest: Buffer }>(
      `UPDATE idempotency_keys SET status = NULL, answer = NULL, claimed_at = clock_now()
       WHERE digest = sha256(convert_to($1, 'UTF8')) RETURNING digest`,
      [`${key} /graphql`],
    );
    expect(rows).toHaveLength(1);
    const again = world.copy.start(name, { IDEMPOTENCY_KEY: key });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect([again.lines, again.errors]).toEqual([[], '']);
    await world.service.db.query(`DELETE FROM idempotency_keys WHERE digest = $1`, [rows[0]!.digest]);
    expect([await again.exit, again.lines]).toEqual([0, [expect.stringMatching(/^wf_/)]]);
  });

  it.each(names)('%s gives up in time, and at once when its key is unknown', async (name) => {
    const refused = world.copy.start(name, { API_KEY: 'wfk_unknown' });
    expect([await refused.exit, refused.lines]).toEqual([1, []]);
    expect(refused.errors).toMatch(/unknown, revoked|401/);
    await world.away();
    const late = world.copy.start(name, { REPEAT_SECONDS: '2' });
    const errors = 'Outcome unknown: see whether the mutation took effect.\n';
    expect([await late.exit, late.lines, late.errors]).toEqual([1, [], errors]);
  });
}

describe('the mutations of the guide', () => mutations(['apollo-mutation.mjs', 'urql-mutation.mjs']));

describe('the mutations of the guide, after responses that were cut off behind their headers', () => {
  it.each(['apollo-mutation.mjs', 'urql-mutation.mjs'])('%s is repeated with the same key', async (name) => {
    const keys: unknown[] = [];
    const standIn = await StandIn.open((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.writeHead(keys.length === 2 ? 409 : 200, {
        'content-type': 'application/json',
        'content-length': '900',
      });
      if (keys.length <= 2) {
        response.write('{"data":');
        return void setTimeout(() => request.socket.destroy(), 100);
      }
      const body = '{"data":{"createWorkflow":{"__typename":"Workflow","id":"wf_1"}}}';
      response.end(body.padEnd(900));
    });
    const run = world.copy.start(name, { BASE_URL: standIn.url });
    const exit = await run.exit;
    standIn.close();
    expect([exit, run.lines, run.errors]).toEqual([0, ['wf_1'], '']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  });
});

const LIVE = `
import runsChanged from './__generated__/runsChangedSubscription.graphql.js';
import { live } from './environment.mjs';
import { readRuns } from './live-runs.mjs';

async function read() {
  const latestChange = await readRuns();
  console.log('read');
  // Once, a position that the service no longer knows.
  const gone = process.env.GONE;
  delete process.env.GONE;
  return gone ?? latestChange;
}
const end = live({
  read,
  subscription: runsChanged,
  onNext: ({ runStatusChanged: { run } }) => {
    console.log(run.id, run.status);
    if (run.status !== 'SUCCEEDED') return;
    end();
    process.exit(0);
  },
  onError: (error) => {
    console.error(error.message, error.code);
    process.exit(1);
  },
});
`;

describeWith(['bash', 'curl'], 'Relay in the guide', () => {
  beforeAll(() => world.copy.run('relay.sh'));
  mutations(['run-once.mjs']);

  it('begins again when the client was away for longer than changes are kept', async () => {
    world.copy.write('live.mjs', LIVE);
    const client = world.copy.start('live.mjs', { GONE: 'rch_01kagrx8040000000000000000' });
    await until(() => client.lines.length === 2 || client.errors !== '');
    expect([client.lines, client.errors]).toEqual([['read', 'read'], '']);
    const { body } = await world.client.rest('POST', '/workflows', { body: { name: 'Followed' } });
    await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status: 'active' } });
    await world.client.rest('POST', '/triggers', { body: { workflow_id: body.id, type: 'manual' } });
    const run = await world.client.rest('POST', `/workflows/${body.id}/runs`, { body: {} });
    expect(await client.exit).toBe(0);
    expect(client.lines.at(-1)).toBe(`${run.body.id} SUCCEEDED`);
  });
});
