import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseValue } from 'graphql';
import { type ActionInput } from '../../src/features/actions/action.inputs.js';
import { ActionService } from '../../src/features/actions/action.service.js';
import { LONG_BYTES, LongWork } from '../../src/platform/admission/long-work.js';
import { RequestContext } from '../../src/platform/context.js';
import { JsonObject } from '../../src/platform/graphql/scalars.js';
import { ActionWorld } from '../support/worlds/action-world.js';

const COUNT = 48;
const HEADERS = Object.fromEntries(Array.from({ length: 1_800 }, (_, index) => [`h${index}`, 'x']));
const config = (): Record<string, unknown> => ({ method: 'GET', url: 'https://a.example/', headers: { ...HEADERS } });
const LENGTH = JSON.stringify(config()).length;
const list = (configs: readonly Record<string, unknown>[]): ActionInput[] =>
  configs.map((one, index) => ({ name: `h${index}`, kind: 'http_request', config: one }));

/** Notes the pieces, and what the event loop does between them. */
class CountedWork extends LongWork {
  readonly counted: [lane: string, bytes: number][] = [];
  turns = 0;
  override piece(lane: string, bytes: number): Promise<void> {
    this.counted.push([lane, bytes]);
    return super.piece(lane, bytes);
  }
  override turn(lane: string): Promise<void> {
    this.turns += 1;
    return super.turn(lane);
  }
}

describe('a list of many long configs', () => {
  let world: ActionWorld;
  beforeAll(async () => {
    world = await ActionWorld.open();
  });
  afterAll(() => world.close());

  async function set(actions: readonly ActionInput[]) {
    const work = new CountedWork(
      () => 0,
      () => Promise.resolve(),
    );
    const service = new ActionService(world.db, world.clock, world.secrets, () => true, work);
    const { id } = await world.workflow();
    const context = new RequestContext('test', world.context.caller);
    await service.set(context, id, actions).catch((error: Error) => error);
    expect(new Set(work.counted.map(([lane]) => lane))).toEqual(new Set([context.accountId]));
    return { work, bytes: work.counted.map(([, bytes]) => bytes), saved: await world.actionsOf({ id }), context };
  }

  it('is validated in pieces of one config, and in turns of the account', async () => {
    const actions = list(Array.from({ length: COUNT }, config));
    const { work, bytes, saved } = await set(actions);
    expect(bytes.slice(0, COUNT)).toEqual(Array.from({ length: COUNT }, () => LENGTH));
    expect(bytes[COUNT]).toBe(JSON.stringify(actions).length);
    expect(work.turns).toBeGreaterThanOrEqual((COUNT * LENGTH) / (LONG_BYTES + LENGTH));
    expect(JSON.stringify(saved)).toBe(JSON.stringify(actions));
  });

  it('is validated once for a variable that is the config of all', async () => {
    const actions = list(Array.from({ length: COUNT }, () => same));
    const { bytes, saved } = await set(actions);
    expect(bytes).toEqual([LENGTH, JSON.stringify(actions).length]);
    expect(JSON.stringify(saved)).toBe(JSON.stringify(actions));
  });
  const same = config();

  it('is refused for each use of a variable that is wrong, or wrong for another kind', async () => {
    const wrong = { ...config(), method: 'SEND' };
    const { bytes } = await set(list([wrong, wrong, wrong]));
    expect(bytes).toEqual([LENGTH + 1, LENGTH + 1, LENGTH + 1]);
    const kinds = [...list([same]), { name: 'app', kind: 'app_request', config: same } as const];
    expect((await set(kinds)).bytes).toEqual([LENGTH, LENGTH]);
  });

  it('is looked through no further than its 100th fault', async () => {
    const names = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a b${index}`, '']));
    const { bytes } = await set(list(Array.from({ length: 10 }, () => ({ ...config(), headers: names }))));
    expect(bytes).toHaveLength(2);
  });

  it('notes the ignored names of uses that are not validated again', async () => {
    const odd = { ...config(), odd: 1 };
    const { context } = await set(list([odd, odd, odd]));
    expect([...context.ignoredNames]).toEqual([0, 1, 2].map((index) => `actions.${index}.config.odd`));
  });
});

describe('a JSON literal', () => {
  it('has the value of a variable itself, not a copy for each use', () => {
    const c = { a: [{ b: 1 }] };
    const parsed = JsonObject.parseLiteral(parseValue('{ one: $c, more: [$c, $gone], text: "x", no: null }'), { c });
    expect(parsed).toEqual({ one: c, more: [c, undefined], text: 'x', no: null });
    expect((parsed as { more: unknown[] }).more[0]).toBe(c);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it('looks through a variable for its depth once', () => {
    let looks = 0;
    const c = new Proxy({}, { ownKeys: () => ((looks += 1), []) });
    JsonObject.parseLiteral(parseValue(`{ uses: [${'$c '.repeat(400)}] }`), { c });
    expect(looks).toBe(1);
  });
});
