import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  KEYLESS,
  KEYLESS_REPEATED,
  KEYLESS_TOGETHER,
  ResponsePace,
  STRANGERS,
  strictest,
} from '../../src/platform/admission/response-pace.js';
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

describe('the pace of what needs no key', () => {
  const delays = (count: number) => {
    const pace = strictest([KEYLESS, KEYLESS_TOGETHER], () => 0);
    return Array.from({ length: count }, () => pace.next('a'));
  };

  it('sends a page with its files at once, and of hundreds that arrive together one a millisecond', () => {
    expect(Math.max(...delays(25))).toBe(0);
    expect(delays(28).slice(-3)).toEqual([1, 2, 3]);
    expect(delays(300).at(-1)).toBe(275);
  });

  it('sends two hundred a second from then on', () => {
    expect(delays(420).at(-1)).toBe(600);
  });

  it('holds ten thousand listeners that come back for no more than a second', () => {
    expect(Math.max(...delays(10_000))).toBe(1_000);
  });

  it('sends less than two thousand a second to four thousand connections that ask again at once', () => {
    let now = 0;
    const pace = strictest([KEYLESS, KEYLESS_TOGETHER, KEYLESS_REPEATED], () => now);
    const due = Array.from({ length: 4_000 }, () => pace.next('a'));
    let sent = 0;
    for (; now < 20_000; now += 10) {
      due.forEach((at, nth) => {
        if (at > now) return;
        sent += 1;
        due[nth] = now + pace.next('a');
      });
    }
    expect(sent / 20).toBeLessThan(2_000);
  });
});

describe('the pace of unknown keys and tokens', () => {
  it('holds back for up to four seconds, so that a thousand connections send a few hundred a second', () => {
    const pace = new ResponsePace(
      STRANGERS,
      () => 0,
      () => 0.5,
    );
    const delays = Array.from({ length: 1_000 }, () => pace.next('a'));
    expect(delays.slice(99, 101)).toEqual([0, 20]);
    expect(delays.slice(299, 301)).toEqual([4_000, 3_000]);
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
