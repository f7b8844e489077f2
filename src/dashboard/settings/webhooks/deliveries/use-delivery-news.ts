import { useCallback, useEffect, useEffectEvent } from 'react';
import { useClient } from 'urql';
import { serviceNow } from '../../../graphql/service-clock.js';
import { useOnReturn } from '../../../ui/use-on-return.js';
import { type DeliveryRowFragment, WebhookDocument, type WebhookQueryVariables } from '../deliveries.generated.js';

const BUSY_MS = 1_500;
const CALM_MS = 15_000;

/**
 * Keeps the deliveries on screen current: polled every 15 s while the page is visible, every 1.5 s while a delivery is
 * being sent or due soon. Returns a function that polls at once.
 */
export function useDeliveryNews(
  variables: WebhookQueryVariables,
  shown: readonly DeliveryRowFragment[] | undefined,
): () => void {
  const client = useClient();
  const { id, page, perPage, status } = variables;
  // Bypasses the page's own query, so that the list does not fade each time; the cache updates it.
  const ask = useCallback(
    () =>
      void client.query(WebhookDocument, { id, page, perPage, status }, { requestPolicy: 'network-only' }).toPromise(),
    [client, id, page, perPage, status],
  );
  const isKnown = shown !== undefined;
  const isBusy = isKnown && shown.some(isAboutToBeSent);
  const look = useEffectEvent(() => document.visibilityState === 'visible' && ask());
  useEffect(() => {
    if (!isKnown) return;
    const timer = setInterval(() => look(), isBusy ? BUSY_MS : CALM_MS);
    return () => clearInterval(timer);
  }, [isKnown, isBusy]);
  useOnReturn(ask);
  return ask;
}

function isAboutToBeSent({ status, nextAttemptAt }: DeliveryRowFragment): boolean {
  return status === 'PENDING' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < serviceNow() + CALM_MS);
}
