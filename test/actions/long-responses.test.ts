import { describe, expect, it } from '@jest/globals';
import { prepareRequest, sendNow } from '../../src/features/actions/http-step.js';
import { type StepWork } from '../../src/features/actions/step-work.js';
import { LONG_BYTES } from '../../src/platform/admission/long-work.js';
import { OutboundResponse } from '../../src/platform/http/outbound/outbound-response.js';

describe('the response of a step', () => {
  it.each([
    ['waits for its turn if it is long', LONG_BYTES + 1, ['account']],
    ['is processed at once otherwise', LONG_BYTES, []],
  ])('%s', async (_, bytes, turns) => {
    const lanes: string[] = [];
    const work = {
      outbound: { request: async () => new OutboundResponse('a.test', 200, {}, Buffer.alloc(bytes, 'x')) },
      longWork: { turn: async (lane: string) => void lanes.push(lane) },
      accountId: 'account',
      runId: 'run_x',
      index: 0,
      hops: 0,
      now: new Date(),
    } as unknown as StepWork;
    const target = { url: 'http://a.test/', trust: 'user' } as const;
    const { status } = await sendNow(prepareRequest({ method: 'GET' }, work), target, work);
    expect([status, lanes]).toEqual([200, turns]);
  });
});
