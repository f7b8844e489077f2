import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { ActionLists } from '../../src/features/actions/lists/action-lists.js';
import { type Answer, Answers } from '../../src/platform/admission/answers.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { workFor } from '../../src/platform/admission/work.js';
import { type Queryable } from '../../src/platform/db/database.js';
import { ActionWorld } from '../support/worlds/action-world.js';

/** Much memory for its length when it is parsed. */
const OBJECTS = Array.from({ length: 30_000 }, () => ({}));
const long = (name: string): ActionInput => ({
  name,
  kind: 'http_request',
  config: { method: 'POST', url: 'https://api.example.com', body: OBJECTS },
});
const LONG = JSON.stringify(OBJECTS).length;
const SEALED = (LONG * 4) / 3;
const COUNT = 60;

let world: ActionWorld;
let ids: string[];
let text: string;
beforeAll(async () => {
  world = await ActionWorld.open();
  const first = await world.set(await world.workflow(), [long('only')]);
  const lists = Array.from({ length: COUNT - 1 }, async () => world.set(await world.workflow(), [long('only')]));
  ids = [first, ...(await Promise.all(lists))].map(({ actionsId }) => actionsId!);
  text = JSON.stringify([long('only')]);
});
afterAll(() => world.close());

const { parse } = JSON;
afterEach(() => {
  JSON.parse = parse;
});

/** The lengths of the long texts that are parsed from now on. */
function parsedLengths(): number[] {
  const lengths: number[] = [];
  JSON.parse = (of: string) => {
    if (of.length >= LONG) lengths.push(of.length);
    return parse(of) as unknown;
  };
  return lengths;
}

class CountedWork extends LongWork {
  readonly counted: [lane: string, bytes: number][] = [];
  override piece(lane: string, bytes: number): Promise<void> {
    this.counted.push([lane, bytes]);
    return super.piece(lane, bytes);
  }
}

class CountedAnswers extends Answers {
  readonly expected: number[] = [];
  override begin(accountId: string): Answer {
    const answer = super.begin(accountId);
    const expecting = answer.expect.bind(answer);
    answer.expect = (bytes, canWait) => {
      this.expected.push(bytes);
      return expecting(bytes, canWait);
    };
    return answer;
  }
}

/** The number of bodies that each statement reads. */
function countedReads(): { on: Queryable; bodies: number[] } {
  const bodies: number[] = [];
  const query = async (...of: Parameters<typeof world.db.query>) => {
    const rows = await world.db.query(...of);
    bodies.push(rows.filter(({ body }) => body !== null).length);
    return rows;
  };
  return { on: { query } as Queryable, bodies };
}

describe('the actions of many workflows', () => {
  const of = (fields: string) => `{ workflows(perPage: 100) { items { ${fields} } } }`;

  it('are not parsed to tell whether they can be read', async () => {
    const lengths = parsedLengths();
    const { data } = await world.execute(of('actionsUnreadable'));
    expect(data!.workflows.items).toEqual(Array.from({ length: COUNT }, () => ({ actionsUnreadable: null })));
    expect(lengths).toEqual([]);
  });

  it('are not parsed for their names and kinds', async () => {
    const lengths = parsedLengths();
    const { data } = await world.execute(of('actions { name kind }'));
    expect(data!.workflows.items[0]).toEqual({ actions: [{ name: 'only', kind: 'HTTP_REQUEST' }] });
    expect(lengths).toEqual([]);
  });

  it('are parsed one config after another while the response is written', async () => {
    const lengths = parsedLengths();
    const lists = await world.actions.ofLists(world.context, ids.slice(0, 3));
    expect(lengths).toEqual([]);
    expect(JSON.stringify(lists)).toBe(`[${text},${text},${text}]`);
    expect(lengths).toEqual(Array.from({ length: 3 }, () => JSON.stringify(long('only').config).length));
  });

  it('are read 1 MB at first, and then 4 MB at a time in the place of a large response', async () => {
    const answers = new CountedAnswers();
    const { on, bodies } = countedReads();
    const lists = new ActionLists(world.secrets, new LongWork(undefined, () => Promise.resolve()));
    const account = world.context.accountId;
    const answer = answers.begin(account);
    const found = await workFor(account, () => lists.shown(on, account, ids), { answer });
    answer.end();
    expect(found.size).toBe(COUNT);
    const [first, ...rest] = bodies;
    expect(first! * SEALED).toBeLessThan(1_048_576);
    for (const portion of rest) expect(portion * SEALED).toBeLessThan(4 * 1_048_576);
    expect([first! + rest.reduce((sum, portion) => sum + portion), answers.expected.length]).toEqual([COUNT, 1]);
    expect(answers.expected[0]).toBeGreaterThan((COUNT - first!) * SEALED);
    expect(answers.inUse).toBe(0);
  });

  it('are decrypted one after another, each in a piece of long work of the account', async () => {
    const work = new CountedWork(undefined, () => Promise.resolve());
    await new ActionLists(world.secrets, work).shown(world.db, world.context.accountId, ids);
    expect(work.counted).toHaveLength(COUNT);
    expect(new Set(work.counted.map(([lane]) => lane))).toEqual(new Set([world.context.accountId]));
    for (const [, bytes] of work.counted) expect(bytes).toBeGreaterThan(SEALED);
  });

  it('have a lane of their own for it while rows are locked', async () => {
    const work = new CountedWork(undefined, () => Promise.resolve());
    const { accountId } = world.context;
    await world.db.transaction((tx) => new ActionLists(world.secrets, work).shown(tx, accountId, ids.slice(0, 2)));
    expect(new Set(work.counted.map(([lane]) => lane))).toEqual(new Set([`${accountId} locked`]));
  });
});

describe('the actions of runs', () => {
  it('are parsed where a config is read, if the list is long', async () => {
    const lengths = parsedLengths();
    const lists = await world.actions.ofRuns(
      world.db,
      ids.map((actionsId) => ({ actionsId })),
    );
    expect([lists.size, lengths]).toEqual([COUNT, []]);
    const [action] = lists.get(ids[0]!)!;
    expect([action!.name, action!.kind, action!.config]).toEqual(Object.values(long('only')));
    expect(lengths).toHaveLength(1);
  });

  it('are decrypted in pieces of their account, but not in a transaction, which several accounts may share', async () => {
    const work = new CountedWork(undefined, () => Promise.resolve());
    const lists = new ActionLists(world.secrets, work);
    await world.db.transaction((tx) => lists.toExecute(tx, new Set(ids.slice(0, 3))));
    expect(work.counted).toEqual([]);
    await lists.toExecute(world.db, new Set(ids.slice(0, 3)));
    expect(work.counted.map(([lane]) => lane)).toEqual(Array.from({ length: 3 }, () => world.context.accountId));
    for (const [, bytes] of work.counted) expect(bytes).toBeGreaterThan(SEALED);
  });

  it('are read in portions', async () => {
    const { on, bodies } = countedReads();
    const lists = new ActionLists(world.secrets, new LongWork());
    expect((await lists.toExecute(on, new Set(ids))).size).toBe(COUNT);
    for (const portion of bodies) expect(portion * SEALED).toBeLessThan(4 * 1_048_576);
  });
});
