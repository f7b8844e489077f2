import { useEffect, useRef } from 'react';
import { type CombinedError, useQuery } from 'urql';
import { DeliveryLogDocument, type DeliveryLogQuery, type DeliveryRowFragment } from '../deliveries.generated.js';

/** What was sent, and how each attempt ended. */
export type DeliveryLog = NonNullable<DeliveryLogQuery['webhookDelivery']>;

/** Fetches the log of one delivery, and again when the list shows that an attempt has begun or ended. */
export function useDeliveryLog(
  webhookId: string,
  { id, attempts, status, nextAttemptAt }: DeliveryRowFragment,
): { log: DeliveryLog | undefined; error: CombinedError | undefined; retry: () => void } {
  const [{ data, error }, ask] = useQuery({
    query: DeliveryLogDocument,
    variables: { webhookId, id },
    requestPolicy: 'cache-and-network',
  });
  const version = `${attempts} ${status} ${nextAttemptAt}`;
  const asked = useRef(version);
  useEffect(() => {
    if (asked.current === version) return;
    asked.current = version;
    ask({ requestPolicy: 'network-only' });
  }, [version, ask]);
  return { log: data?.webhookDelivery ?? undefined, error, retry: () => ask({ requestPolicy: 'network-only' }) };
}
