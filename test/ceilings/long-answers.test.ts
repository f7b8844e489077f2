import { describe, expect, it } from '@jest/globals';
import { Answers, LONG_ANSWER_BYTES } from '../../src/platform/admission/answers.js';
import { type LongWork } from '../../src/platform/admission/long-work.js';
import { workFor } from '../../src/platform/admission/work.js';
import { ceiling } from '../../src/transports/graphql/answer-ceiling.js';

/** Sends a response that so many bytes were read for. @returns the accounts that waited for a turn to write it. */
async function turnsFor(bytes: number): Promise<string[]> {
  const turns: string[] = [];
  const longWork = { turn: async (lane: string) => void turns.push(lane) } as unknown as LongWork;
  const request = await ceiling(longWork).requestDidStart!({} as never);
  const answer = new Answers().begin('account');
  await answer.receive(bytes, 'text', new AbortController().signal);
  const sent = {
    contextValue: { accountId: 'account' },
    response: { body: { kind: 'single', singleResult: { data: {} } }, http: {} },
  };
  await workFor('account', () => (request as any).willSendResponse(sent), { answer });
  answer.end();
  return turns;
}

describe('a response', () => {
  it('for which 1 MB was read is written at once; one for which more was read, in a turn of its account', async () => {
    expect(LONG_ANSWER_BYTES).toBe(1_048_576);
    expect(await turnsFor(LONG_ANSWER_BYTES)).toEqual([]);
    expect(await turnsFor(LONG_ANSWER_BYTES + 1)).toEqual(['account']);
  });
});
