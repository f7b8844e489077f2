import { mock } from 'node:test';
import { describe, expect, it } from '@jest/globals';
import { type Answer, Answers, LONG_ANSWER_BYTES } from '../../src/platform/admission/answers.js';
import { LONG_BYTES, type LongWork } from '../../src/platform/admission/long-work.js';
import { nextTurn } from '../../src/platform/admission/pace.js';
import { workFor } from '../../src/platform/admission/work.js';
import { ceiling } from '../../src/transports/graphql/answer-ceiling.js';

const MB = 1_048_576;

interface Sent {
  singleResult: { data?: unknown; errors?: { extensions: { code: string } }[] };
  status?: number;
  turns: string[];
  /** The text of a long result. */
  text: string | undefined;
}

/** Passes a result through the ceiling, which may wait. */
async function pass(answer: Answer, data: unknown, operation = 'query'): Promise<Sent> {
  const turns: string[] = [];
  const longWork = { pause: async (lane: string) => void turns.push(lane) } as unknown as LongWork;
  const request = await ceiling(longWork).requestDidStart!({} as never);
  const http: { status?: number } = {};
  const body = { kind: 'single', singleResult: { data } as Sent['singleResult'] };
  const sent = {
    contextValue: { accountId: 'account' },
    operation: { operation: operation },
    response: { body, http },
  };
  await workFor('account', () => answer.make(() => (request as any).willSendResponse(sent)), { answer });
  const pieces = answer.text.handOver();
  return { singleResult: body.singleResult, ...http, turns, text: pieces && Buffer.concat(pieces).toString() };
}

/** Sends a response that so many bytes were read for. @returns the accounts that waited for a turn to write it. */
async function turnsFor(bytes: number, data: unknown = {}): Promise<string[]> {
  const answer = new Answers().begin('account');
  await answer.receive(bytes, 'text', new AbortController().signal);
  const { turns } = await pass(answer, data);
  answer.end();
  return turns;
}

/** A list that was read once and is written a hundred times. */
const shared = (bytes: number): unknown[] => Array<unknown>(100).fill({ config: 'x'.repeat(bytes / 100) });

describe('a response', () => {
  it('for which 1 MB was read is written at once; one for which more was read, in a turn of its account', async () => {
    expect(LONG_ANSWER_BYTES).toBe(MB);
    expect(await turnsFor(LONG_ANSWER_BYTES)).toEqual([]);
    expect(await turnsFor(LONG_ANSWER_BYTES + 1)).toEqual(['account']);
  });

  it('that is longer than 1 MB is written in a turn of its account, however little was read for it', async () => {
    const around = JSON.stringify({ data: { text: '' } }).length;
    expect(await turnsFor(0, { text: 'x'.repeat(LONG_ANSWER_BYTES - around - 5) })).toEqual([]);
    for (const data of [{ text: 'x'.repeat(LONG_ANSWER_BYTES) }, shared(9 * MB)]) {
      expect(new Set(await turnsFor(0, data))).toEqual(new Set(['account']));
    }
  });

  it('is written in slices of 5 ms, each in a turn', async () => {
    const times = { now: 0 };
    const clock = mock.method(performance, 'now', () => (times.now += 1));
    const data = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(2 * LONG_BYTES) }));
    const { turns, text } = await pass(new Answers().begin('account'), data);
    clock.mock.restore();
    // Each piece takes a millisecond of this clock.
    expect(turns.length).toBeGreaterThan(15);
    expect(text).toBe(JSON.stringify({ data }));
  });

  it('is not written on when its client has left', async () => {
    const answer = new Answers().begin('account');
    const data = Array.from({ length: 200 }, () => 'x'.repeat(LONG_BYTES));
    const passed = pass(answer, data);
    answer.end();
    expect(await passed).toMatchObject({ status: 503, text: undefined });
  });
});

describe('long responses of an account that were not read yet', () => {
  const open = (answers: Answers, count: number, data: unknown, operation?: string) =>
    Array.from({ length: count }, () => {
      const one = { answer: answers.begin('account'), isDone: false };
      const passed = pass(one.answer, data, operation).then((sent) => {
        one.isDone = true;
        return sent;
      });
      return Object.assign(one, { passed });
    });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  };

  it('are four of 9 MB: others wait to be written, new ones to be read', async () => {
    const answers = new Answers();
    const all = open(answers, 6, shared(9 * MB));
    await settle();
    const done = all.filter(({ isDone }) => isDone);
    expect(done).toHaveLength(4);
    expect(answers.begin('account').hasRoom).toBe(false);
    expect(answers.begin('another').hasRoom).toBe(true);
    for (const { answer } of done) answer.end();
    await settle();
    expect(all.filter(({ isDone }) => isDone)).toHaveLength(6);
    for (const { answer } of all) answer.end();
    expect(answers.begin('account').hasRoom).toBe(true);
    expect(answers.inUse).toBe(0);
  });

  it('are given back once the client has them, or has gone while they wait', async () => {
    const answers = new Answers();
    const [first, ...others] = open(answers, 6, shared(9 * MB));
    await settle();
    others.forEach(({ answer }) => answer.end());
    await settle();
    first!.answer.sent(9 * MB, false);
    await settle();
    expect(answers.begin('account').hasRoom).toBe(true);
    expect([answers.inUse, answers.textsInUse]).toEqual([0, 0]);
  });

  it('delay no mutation, which has happened', async () => {
    expect(open(new Answers(), 6, shared(9 * MB), 'mutation')).toHaveLength(6);
    const all = open(new Answers(), 6, shared(9 * MB), 'mutation');
    await settle();
    expect(all.filter(({ isDone }) => isDone)).toHaveLength(6);
  });
});
