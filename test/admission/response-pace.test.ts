import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ResponsePace } from '../../src/platform/admission/response-pace.js';
import { AppError } from '../../src/platform/errors.js';
import { heldRefusal } from '../../src/platform/http/inbound/held-response.js';

/** The pace of refusals by a clock that the test sets. */
function pace() {
  let now = 0;
  const randoms = [0, 0.5];
  const refusals = new ResponsePace(
    undefined,
    () => now,
    () => randoms.push(randoms.shift()!) && randoms.at(-1)!,
  );
  const delays = (count: number, sender = 'a') => Array.from({ length: count }, () => refusals.next(sender));
  return { delays, pass: (ms: number) => (now += ms) };
}

describe('the pace of refusals', () => {
  it('sends a hundred at once, and fifty a second from then on', () => {
    const { delays, pass } = pace();
    expect(Math.max(...delays(100))).toBe(0);
    expect(delays(3)).toEqual([20, 40, 60]);
    pass(60);
    expect(delays(2)).toEqual([20, 40]);
  });

  it('holds none back for more than a second, however many there are, and spreads the longest', () => {
    const { delays, pass } = pace();
    const all = delays(10_000);
    expect(all.slice(149, 152)).toEqual([1_000, 500, 750]);
    expect(Math.max(...all)).toBe(1_000);
    pass(1_000);
    expect(delays(1)).toEqual([20]);
  });

  it('forgets what time has made up for, and holds back nobody else', () => {
    const { delays, pass } = pace();
    delays(10_000);
    expect(delays(100, 'b').at(-1)).toBe(0);
    pass(3_000);
    expect(delays(101).slice(-2)).toEqual([0, 20]);
  });
});

describe('a refusal', () => {
  const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
  const held = (holdMs: number | undefined, response = newResponse()) =>
    heldRefusal(new AppError('rate_limited', 'x', { holdMs }), response);

  it('waits for its delay only', async () => {
    expect([held(0), held(undefined)]).toEqual([undefined, undefined]);
    const began = performance.now();
    await held(200);
    // Node's timers may be a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(198);
  });

  it('does not wait for a client that has left, or leaves', async () => {
    const [gone, leaving] = [newResponse(), newResponse()];
    gone.destroy();
    expect(held(3_600_000, gone)).toBeUndefined();
    const waiting = held(3_600_000, leaving);
    leaving.destroy();
    leaving.emit('close');
    await waiting;
    expect(leaving.listenerCount('close')).toBe(0);
  });

  it('ends its connection after a long delay', async () => {
    const [short, long] = [newResponse(), newResponse()];
    await Promise.all([held(1, short), held(500, long)]);
    expect([short.getHeader('connection'), long.getHeader('connection')]).toEqual([undefined, 'close']);
  });
});
