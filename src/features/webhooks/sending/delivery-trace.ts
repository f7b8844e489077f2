import { type Database } from '../../../platform/db/database.js';
import { fromPublicId, toPublicId } from '../../../platform/ids/ids.js';
import { inSpan, type Tracing } from '../../../platform/tracing/span.js';
import { type ClaimedDelivery } from './claim-deliveries.js';

/** The run that an event is about, at the beginning of its body. */
const RUN = /"data":\{"id":"(run_\w+)"/;
const BEGINNING = 300;

/** Sends a delivery as a part of the trace of its run; of another event as a new trace. */
export async function inDeliverySpan<T>(
  { db, tracing }: { db: Pick<Database, 'query'>; tracing?: Tracing | undefined },
  delivery: Pick<ClaimedDelivery, 'uuid' | 'type' | 'attempts'> & { body: string },
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return work();
  const trace = await traceOf(db, delivery.body);
  const span = tracing.begin('webhook delivery', 'consumer', {
    ...(trace !== undefined && { parent: trace }),
    attributes: {
      'workflow_gateway.delivery.id': toPublicId('dlv', delivery.uuid),
      'workflow_gateway.event.type': delivery.type,
      'workflow_gateway.delivery.attempt': delivery.attempts,
    },
  });
  try {
    return await inSpan(span, work);
  } finally {
    span.end();
  }
}

async function traceOf(db: Pick<Database, 'query'>, body: string): Promise<string | undefined> {
  const id = RUN.exec(body.slice(0, BEGINNING))?.[1];
  const uuid = id === undefined ? undefined : fromPublicId('run', id);
  if (!uuid) return undefined;
  const rows = await db.query<{ traceparent: string | null }>(`SELECT traceparent FROM runs WHERE id = $1`, [uuid]);
  return rows[0]?.traceparent ?? undefined;
}
