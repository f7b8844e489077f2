import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { ActionLists } from '../../src/features/actions/lists/action-lists.js';
import { ListedWaits } from '../../src/features/actions/lists/listed-waits.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { ActionWorld } from '../support/worlds/action-world.js';

const BODY = 'x'.repeat(80_000);
const request = (name: string, body: unknown): ActionInput => ({
  name,
  kind: 'http_request',
  config: { method: 'POST', url: 'https://api.example.com', body },
});
const app = (name: string, missing: object): ActionInput => ({
  name,
  kind: 'app_request',
  config: { connection: { type: 'acme_crm', reference: 'u1' }, method: 'GET', path: '/', ...missing },
});
const ACTIONS: ActionInput[] = [
  request('tell', { to: [{ pay: '{{ waits.paid.url }}', open: '{{ waits.access.connect_url }}' }] }),
  request('words', ['waits.paid.url', BODY]),
  { name: 'paid', kind: 'wait_for_callback', config: { note: '{{ waits.paid.url }}' } },
  {
    name: 'ask',
    kind: 'wait_for_approval',
    config: { title: 'Pay', text: '{{ waits.paid.url }} {{ waits.paid.url }}' },
  },
  { name: 'access', kind: 'wait_for_connection', config: { type: 'acme_crm', reference: 'u1' } },
];
const WAITS = [
  { index: 2, name: 'paid', purpose: 'callback', passedOnBy: [0, 2, 3] },
  { index: 3, name: 'ask', purpose: 'approval', passedOnBy: [] },
  { index: 4, name: 'access', purpose: 'connection', passedOnBy: [0] },
];

/** Long work without rests, which notes what was done in which lane. */
class NotedWork extends LongWork {
  readonly noted: [lane: string, bytes: number][] = [];
  constructor() {
    super(undefined, () => Promise.resolve());
  }
  override piece(lane: string, bytes: number): Promise<void> {
    this.noted.push([lane, bytes]);
    return super.piece(lane, bytes);
  }
}

/** Notes how many lists are read at the same time. */
class NotedLists extends ActionLists {
  reads = 0;
  most = 0;
  private underWay = 0;
  override async shown(...of: Parameters<ActionLists['shown']>) {
    this.reads += 1;
    this.most = Math.max(this.most, (this.underWay += 1));
    try {
      return await super.shown(...of);
    } finally {
      this.underWay -= 1;
    }
  }
}

let world: ActionWorld;
let account: string;
let ids: string[];
beforeAll(async () => {
  world = await ActionWorld.open();
  account = world.context.accountId;
  const lists = Array.from({ length: 3 }, async () => world.set(await world.workflow(), ACTIONS));
  ids = (await Promise.all(lists)).map(({ actionsId }) => actionsId!);
});
afterAll(() => world.close());

function readers() {
  const work = new NotedWork();
  const lists = new NotedLists(world.secrets, work);
  return { work, lists, waits: new ListedWaits(lists, work) };
}

it('tells the waits of a list, and which actions pass on their URLs', async () => {
  const { waits } = readers();
  expect(waits.known(ids[0]!)).toBeUndefined();
  expect(await waits.of(world.db, account, ids[0]!)).toEqual(WAITS);
  expect(waits.known(ids[0]!)).toEqual(WAITS);
});

it('reads a list once, however many ask at the same time, and one list of an account at a time', async () => {
  const { lists, waits } = readers();
  const asked = Array.from({ length: 10 }, () => ids).flat();
  const found = await Promise.all(asked.map((id) => waits.of(world.db, account, id)));
  expect(found).toEqual(asked.map(() => WAITS));
  expect([lists.reads, lists.most]).toEqual([3, 1]);
});

it('works on a list in pieces of its account', async () => {
  const { work, waits } = readers();
  await waits.of(world.db, account, ids[0]!);
  expect(new Set(work.noted.map(([lane]) => lane))).toEqual(new Set([account]));
  expect(work.noted[0]![1]).toBeGreaterThan(BODY.length);
  // The config with the word is parsed in a piece of its own.
  expect(work.noted.slice(1).filter(([, bytes]) => bytes > BODY.length)).toHaveLength(1);
});

it('has no waits of a list that is gone, of another account, or that no key decrypts', async () => {
  const { waits } = readers();
  const { uuid } = await world.workflow();
  expect(await waits.of(world.db, account, uuid)).toBeUndefined();
  expect(await waits.of(world.db, uuid, ids[0]!)).toBeUndefined();
  await world.db.query(`UPDATE action_lists SET body = 'v1.none.x.y' WHERE id = $1`, [ids[2]]);
  expect(await waits.of(world.db, account, ids[2]!)).toBeUndefined();
  expect(waits.known(ids[2]!)).toBeUndefined();
});

it('tells which requests to applications may wait', async () => {
  const { waits } = readers();
  const { actionsId } = await world.set(await world.workflow(), [
    app('fails', {}),
    app('waits', { if_missing: 'wait' }),
  ]);
  const found = await waits.of(world.db, account, actionsId!);
  expect(found?.map(({ name, purpose }) => [name, purpose])).toEqual([['waits', 'connection']]);
});
