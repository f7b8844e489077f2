import { describe, expect, it } from '@jest/globals';
import { type EventFeed } from '../../src/features/webhooks/log/event-log.js';
import { type EventNumbering } from '../../src/features/webhooks/log/event-numbering.js';
import { type EventService } from '../../src/features/webhooks/log/event.service.js';
import { EventSubscriptions } from '../../src/features/webhooks/log/event-subscriptions.js';
import { type RequestContext } from '../../src/platform/context.js';
import { type Database } from '../../src/platform/db/database.js';
import { until } from '../support/until.js';

/** Which statements a stream of events reads with. */
async function readsOf(wanted: object): Promise<string[]> {
  const reads: string[] = [];
  const select = (kind: string) => async () => {
    reads.push(kind);
    return [];
  };
  const db = { select: select('cheap'), expensive: { select: select('expensive') } } as unknown as Database;
  const feed = { listen: async () => ({ position: 9, detach: () => undefined }) } as unknown as EventFeed;
  const numbering = { catchUp: async () => undefined } as unknown as EventNumbering;
  const service = { positionOf: async () => 3 } as unknown as EventService;
  const context = { accountId: 'a', onSlowReader: () => undefined } as unknown as RequestContext;
  const stream = await new EventSubscriptions(db, feed, numbering, service).follow(context, wanted);
  await until(() => reads.length > 0);
  await stream.return?.();
  return [...new Set(reads)];
}

describe('a stream of events', () => {
  it('reads past events of some types as a search, of which an account has two at a time', async () => {
    expect(await readsOf({ after: 'evt_1', types: ['run.failed'] })).toEqual(['expensive']);
  });

  it('reads new events, and past ones of all types, as any list', async () => {
    expect(await readsOf({ types: ['run.failed'] })).toEqual(['cheap']);
    expect(await readsOf({ after: 'evt_1' })).toEqual(['cheap']);
  });
});
