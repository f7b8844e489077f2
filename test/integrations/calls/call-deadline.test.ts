import { mock } from 'node:test';
import {
  ApplicationCalls,
  type ApplicationCallsDependencies,
  CALL_MS,
  LATE_MS,
} from '../../../src/features/integrations/calls/application-calls.js';
import { type AppRequest } from '../../../src/features/integrations/tokens/app-access.js';
import { type AppAnswer } from '../../../src/features/integrations/tokens/call-budget.js';
import { RequestContext } from '../../../src/platform/context.js';
import { type OutboundRequest } from '../../../src/platform/http/outbound/outbound-request.js';
import { systemClock } from '../../../src/platform/clock.js';

type Send = (request: AppRequest) => Promise<AppAnswer>;

const TARGET: AppRequest = { integrationId: 'int_1', url: 'https://api.example/x', defaults: {}, credentials: {} };

describe('the deadline of a call', () => {
  let timeouts: number[];
  let needed: number[];
  let now = 1_000;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
    [timeouts, needed] = [[], []];
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };

  const status = (code: number) => ({ status: code, headers: {}, fields: {}, isCut: false, body: Buffer.alloc(0) });

  /** Makes a call through a connection of which `use` tells when it sends. The first send gets a 401, the others a 200. */
  function call(use: (send: Send) => Promise<AppAnswer>): Promise<unknown> {
    const deps = {
      db: { isInUnitOfWork: false, outsideUnitOfWork: (work: () => unknown) => work() },
      clock: systemClock,
      access: { call: (_caller: unknown, _target: unknown, send: Send) => use(send) },
      outbound: {
        request: async ({ timeoutMs }: OutboundRequest) => status(timeouts.push(timeoutMs) === 1 ? 401 : 200),
      },
    } as unknown as ApplicationCallsDependencies;
    const caller = {
      kind: 'key',
      accountId: 'a',
      keyId: 'k',
      scope: 'read-write',
      expiresAt: null,
    } as const;
    const context = new RequestContext('request', caller);
    context.needsTime = (milliseconds) => void needed.push(milliseconds);
    const input = { integrationId: TARGET.integrationId, method: 'GET', path: '/x', retries: 0 };
    return new ApplicationCalls(deps).call(context, input);
  }

  it('leaves a second send what a renewal and the first send have left', async () => {
    const answer = call(async (send) => {
      pass(4_000);
      await send(TARGET);
      pass(11_000);
      return send(TARGET);
    });
    expect(await answer).toMatchObject({ status: 200 });
    expect(timeouts).toEqual([CALL_MS - 4_000, CALL_MS - 15_000]);
  });

  it('lets nothing be sent once it is over', async () => {
    const answer = call(async (send) => {
      await send(TARGET);
      pass(CALL_MS);
      return send(TARGET);
    });
    await expect(answer).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(timeouts).toEqual([CALL_MS]);
  });

  it('does not wait for a renewal that hangs, and answers before the server closes the connection', async () => {
    const answer = call(() => new Promise(() => undefined));
    pass(LATE_MS);
    await expect(answer).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(needed[0]).toBeGreaterThan(LATE_MS);
    expect(needed[0]).toBeLessThan(40_000);
  });
});
