import { describe, expect, it } from '@jest/globals';
import { type Action } from '../../../src/features/actions/action.entity.js';
import { readsOf } from '../../../src/features/actions/reads.js';
import { holderLane, type LongWork } from '../../../src/platform/admission/long-work.js';
import { currentWork } from '../../../src/platform/admission/work.js';
import { type Database } from '../../../src/platform/db/database.js';
import { type ClaimedRun } from '../../../src/features/runs/execution/claimed-run.js';
import { RunSpace } from '../../../src/features/runs/execution/run-space.js';
import { RecentTexts } from '../../../src/platform/caches/recent-texts.js';
import { scopeOf } from '../../../src/features/runs/execution/step-scope.js';

const STEPS = 20;
const LARGE = JSON.stringify({ x: 'x'.repeat(1_000_000) });

describe('steps that read large texts', () => {
  it('get one per turn of the event loop, and are read one at a time', async () => {
    const reads = { underWay: 0, most: 0 };
    const parties = new Set<string>();
    const query = async () => {
      reads.most = Math.max(reads.most, (reads.underWay += 1));
      parties.add(currentWork().party);
      await new Promise((resolve) => setTimeout(resolve, 1));
      reads.underWay -= 1;
      return [{ name: null, text: LARGE }];
    };
    const db = { query } as unknown as Database;
    const space = new RunSpace(db);
    const config = { path: 'trigger.body.x', operator: 'exists' };
    const action = { name: 'check', kind: 'condition', config } as unknown as Action;
    const input = { text: undefined, bytes: 1_048_576 };
    let turn = 0;
    let isOver = false;
    const count = (): void => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const turns = await Promise.all(
      Array.from({ length: STEPS }, async (_, index) => {
        const run = { uuid: `${index}`, accountId: `${index % 2}`, input, steps: [] } as unknown as ClaimedRun;
        const entered = (await space.enter(run, action))!;
        await entered.load();
        return entered.read(async (_, piece) => {
          await piece(LARGE.length);
          return turn;
        });
      }),
    );
    isOver = true;
    expect(new Set(turns).size).toBe(STEPS);
    expect(reads.most).toBe(1);
    // Each waits for no other statement of its account: it holds the place of the process.
    expect(parties).toEqual(new Set(['0 beside', '1 beside']));
  });

  it('read a payload once that several runs share', async () => {
    const reads: unknown[][] = [];
    const query = async (_text: string, values: unknown[]) => {
      reads.push(values);
      return values[2] === true ? [{ kind: 'input', name: null, text: '{"x":1}' }] : [];
    };
    const space = new RunSpace({ query } as unknown as Database);
    const config = { path: 'trigger.body.x', operator: 'exists' };
    const action = { name: 'check', kind: 'condition', config } as unknown as Action;
    const load = async (uuid: string, payloadUuid: string | null): Promise<string> => {
      const input = { text: undefined, bytes: 1_048_576, payloadUuid };
      const entered = (await space.enter({ uuid, accountId: 'a', input, steps: [] } as unknown as ClaimedRun, action))!;
      await entered.load();
      const text = await entered.read(async (texts) => texts.get(null)!);
      entered.leave();
      return text;
    };
    const texts = await Promise.all([load('1', 'p'), load('2', 'p'), load('3', null), load('4', 'p'), load('5', 'q')]);
    expect(texts).toEqual(Array.from({ length: 5 }, () => '{"x":1}'));
    expect(reads.map(([uuid]) => uuid)).toEqual(['1', '3', '5']);
  });

  it('are not read again if this process has just stored them', async () => {
    const recent = new RecentTexts(100);
    recent.keep('p', '{"x":2}');
    const query = () => Promise.reject(new Error('read again'));
    const space = new RunSpace({ query } as unknown as Database, undefined, recent);
    const config = { path: 'trigger.body.x', operator: 'exists' };
    const action = { name: 'check', kind: 'condition', config } as unknown as Action;
    const input = { text: undefined, bytes: 1_048_576, payloadUuid: 'p' };
    const run = { uuid: 'r', accountId: 'a', input, steps: [] } as unknown as ClaimedRun;
    const entered = (await space.enter(run, action))!;
    await entered.load();
    expect(await entered.read(async (texts) => texts.get(null))).toBe('{"x":2}');
    entered.leave();
  });

  it('are parsed one step at a time, in a turn for each text, which waits for no response of its account', async () => {
    const turns: string[] = [];
    const long = { turn: async () => undefined, piece: async (lane: string) => void turns.push(lane) };
    const query = async () => ['one', 'two', 'three'].map((name) => ({ kind: 'output', name, text: LARGE }));
    const space = new RunSpace({ query } as unknown as Database, long as unknown as LongWork);
    const body = { a: '{{ steps.one.x }}', b: '{{ steps.two.x }}', c: '{{ steps.three.x }}' };
    const action = { name: 'post', kind: 'http_request', config: { body } } as unknown as Action;
    const steps = ['one', 'two', 'three'].map((name, index) => {
      return { name, index, status: 'succeeded', output: { text: undefined, bytes: LARGE.length } };
    });
    const inside = { now: 0, most: 0 };
    const does = async (accountId: string) => {
      const run = { uuid: accountId, accountId, triggerUuid: null, steps } as unknown as ClaimedRun;
      const entered = (await space.enter(run, action))!;
      await entered.load();
      await entered.read(async (texts, piece) => {
        inside.most = Math.max(inside.most, (inside.now += 1));
        await scopeOf(run, texts, readsOf(action), () => '', piece).catch((error: unknown) => {
          // Three values are more than a config may have.
          expect(error).toMatchObject({ code: 'too_large' });
        });
        inside.now -= 1;
      });
      entered.leave();
    };
    await Promise.all(['a', 'b'].map(does));
    expect(turns).toEqual(['a', 'a', 'a', 'b', 'b', 'b'].map(holderLane));
    expect(holderLane('a')).not.toBe('a');
    expect(inside.most).toBe(1);
  });
});
