import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Action } from '../../../src/features/actions/action.entity.js';
import { LongAction, storedActions } from '../../../src/features/actions/lists/stored-actions.js';
import { type Run } from '../../../src/features/runs/run.entity.js';
import { type RunService } from '../../../src/features/runs/run.service.js';
import { type Step } from '../../../src/features/runs/step.entity.js';
import { StepInputs } from '../../../src/features/runs/step-inputs.js';
import { Answers } from '../../../src/platform/admission/answers.js';
import { holderLane, LongWork } from '../../../src/platform/admission/long-work.js';
import { workFor } from '../../../src/platform/admission/work.js';
import { RequestContext } from '../../../src/platform/context.js';

const ACCOUNT = 'account';
const INPUT = JSON.stringify({ x: 1, rest: 'x'.repeat(1_000_000) });
const OUTPUT = JSON.stringify({ body: { y: 2, rest: 'y'.repeat(200_000) } });
/** Of a long input, only the value at the path is parsed. */
const X = '1';
const TEXTS = new Set([X, OUTPUT]);

class CountedWork extends LongWork {
  readonly sizes: number[] = [];
  readonly lanes: string[] = [];
  override piece(lane: string, bytes: number): Promise<void> {
    this.sizes.push(bytes);
    this.lanes.push(lane);
    return super.piece(lane, bytes);
  }
}

/** Asks for the inputs of all steps of some runs whose steps have these configs. */
async function ask(
  runs: number,
  configs: readonly object[],
  answers = new Answers(),
  isLong = false,
  client?: AbortController,
) {
  const read: string[] = [];
  const parsed: { text: string; held: number; pieces: number }[] = [];
  const work = new CountedWork(undefined, () => Promise.resolve());
  const short = configs.map((config, index) => ({ name: `s${index}`, kind: 'http_request', config }) as Action);
  const actions = isLong ? storedActions(JSON.stringify(short)).map((action) => new LongAction(action)) : short;
  const service = {
    byUuid: async (_context: unknown, uuids: readonly string[], part: string) => {
      read.push(part);
      const texts = part === 'whole' ? { inputText: INPUT, triggerHeadersText: null, triggerQueryText: null } : {};
      return uuids.map((uuid) => ({ uuid, actionsId: 'list', triggerUuid: null, ...texts }) as unknown as Run);
    },
    stepsNamed: async (_context: unknown, named: readonly { run: string; name: string }[]) =>
      named.map(
        ({ run: runUuid, name }) =>
          ({
            runUuid,
            name,
            index: Number(name.slice(1)),
            status: 'succeeded',
            outputText: OUTPUT,
          }) as unknown as Step,
      ),
  } as unknown as RunService;
  const lists = { ofRuns: async () => new Map([['list', actions]]) };
  const inputs = new StepInputs({} as never, service, lists, () => '', work);
  const context = new RequestContext('req', { kind: 'key', accountId: ACCOUNT, id: 'k', access: 'read' } as never);
  onParse = (text) => parsed.push({ text, held: answers.inUse, pieces: work.sizes.length });
  const answer = answers.begin(ACCOUNT);
  const uuid = (run: number) => `0190a1b2-0000-7000-8000-00000000000${run}`;
  const steps = Array.from({ length: runs }, (_, run) =>
    actions.map((_action, index) => ({ runUuid: uuid(run), index }) as Step),
  ).flat();
  const given = await workFor(ACCOUNT, () => Promise.all(steps.map((step) => inputs.of(context, step))), {
    answer,
    client,
  });
  answer.end();
  return { read, parsed, work, given: given.map((one) => one?.toJSON() as { body?: unknown } | undefined) };
}

const { parse } = JSON;
let onParse: (text: string) => void;
beforeEach(() => {
  JSON.parse = (text: string) => {
    if (TEXTS.has(text)) onParse(text);
    return parse(text) as unknown;
  };
});
afterEach(() => {
  JSON.parse = parse;
});

describe('the inputs of steps', () => {
  it('need no text of their runs where no config has a placeholder', async () => {
    const { read, parsed, given } = await ask(3, [{ url: 'http://a' }, { url: 'http://b' }]);
    expect([read, parsed]).toEqual([['none'], []]);
    expect(given).toHaveLength(6);
  });

  it('parse the config of a long list in a piece of long work, and again for each run that it is rendered for', async () => {
    const config = { url: 'http://a', body: 'x'.repeat(50_000) };
    const { work, given } = await ask(3, [config], undefined, true);
    expect(given.map((one) => one!.body)).toEqual([config.body, config.body, config.body]);
    const { length } = JSON.stringify(config);
    expect(work.sizes).toEqual([length, 0, 0, length, length, length]);
  });

  it('parse each text once for all steps of a run, and a large one in a piece of long work of its own', async () => {
    const config = { url: 'http://a', body: '{{ trigger.body.x }}' };
    const other = { url: 'http://a', body: '{{ steps.s0.body.y }}' };
    const { read, parsed, work, given } = await ask(3, [config, config, other, other]);
    expect(read).toEqual(['none', 'whole']);
    expect(given.map((one) => one!.body)).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2]);
    expect(parsed.map(({ text }) => text)).toEqual([X, OUTPUT, X, OUTPUT, X, OUTPUT]);
    expect(new Set(parsed.map(({ pieces }) => pieces)).size).toBe(6);
    expect(work.sizes.filter((bytes) => bytes === INPUT.length)).toHaveLength(3);
    expect(work.sizes.filter((bytes) => bytes === OUTPUT.length)).toHaveLength(3);
  });

  it('wait for no response of their account while they hold the place for large runs', async () => {
    const { work } = await ask(1, [{ url: 'http://a', body: '{{ trigger.body.x }}' }]);
    expect(work.lanes).toEqual([ACCOUNT, holderLane(ACCOUNT), holderLane(ACCOUNT)]);
  });

  it('are not parsed for a client that has left', async () => {
    const gone = new AbortController();
    gone.abort();
    const config = { url: 'http://a', body: '{{ trigger.body.x }}' };
    const asked = ask(1, [config], undefined, false, gone);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are counted with twenty times of a text while it is parsed, of one at a time, and with nothing afterwards', async () => {
    const answers = new Answers();
    const config = { url: 'http://a', body: '{{ trigger.body.x }}' };
    const two = await Promise.all([ask(2, [config], answers), ask(2, [config], answers)]);
    const held = two.flatMap(({ parsed }) => parsed.map(({ held: bytes }) => bytes));
    expect(held).toHaveLength(4);
    for (const bytes of held) expect(bytes).toBeGreaterThanOrEqual(20 * INPUT.length);
    for (const bytes of held) expect(bytes).toBeLessThan(21 * INPUT.length);
    expect(answers.inUse).toBe(0);
  });

  it('keep the error of one placeholder from the other steps', async () => {
    const given = (await ask(1, [{ url: 'http://a', body: '{{ trigger.body.lost }}' }, { url: 'http://b' }])).given;
    expect(given.map((one) => one === undefined)).toEqual([true, false]);
  });
});
