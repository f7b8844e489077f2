import { useEffect, useEffectEvent } from 'react';
import { useClient } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { FlowChangesDocument, FlowNewsDocument, type FlowStartedFragment } from '../connect.generated.js';
import { endOf } from './flow-end.js';

const ASK_MS = 10_000;

/**
 * Calls `onEnd` once with the reason when the flow is over. The service reports the result: by the subscription, which
 * delivers each change since the flow began, even after a lost connection; and, if no subscription gets through, by a
 * query every 10 s, after the popup's message, and when the user returns to this window.
 */
export function useFlowEnd(flow: FlowStartedFragment | undefined, onEnd: (reason: string) => void): void {
  const client = useClient();
  const tell = useEffectEvent(onEnd);
  useEffect(() => {
    if (flow === undefined) return;
    const { integrationId, version } = flow;
    let over = false;
    const end = (reason: string | undefined): void => {
      if (over || reason === undefined) return;
      over = true;
      tell(reason);
    };
    const listening = client
      .subscription(FlowChangesDocument, { integrationId, afterVersion: version })
      .subscribe(({ data, error }) => {
        const change = data?.integrationStatusChanged;
        if (change !== undefined) end(endOf(flow, { version: change.version, reason: change.reason ?? 'connected' }));
        else if (error !== undefined && faultOf(error).code === 'NOT_FOUND') end('deleted');
      });
    const ask = async (): Promise<void> => {
      const context = { requestPolicy: 'network-only' } as const;
      const { data, error } = await client.query(FlowNewsDocument, { id: integrationId }, context);
      const now = data?.integration;
      if (error !== undefined && faultOf(error).code === 'NOT_FOUND') end('deleted');
      if (now !== undefined) end(endOf(flow, { version: now.version, reason: now.statusReason ?? 'connected' }));
    };
    const stop = onHints(integrationId, () => void ask());
    const timer = setInterval(() => void ask(), ASK_MS);
    return () => {
      over = true;
      clearInterval(timer);
      listening.unsubscribe();
      stop();
    };
  }, [client, flow]);
}

/** Only a message from the same origin about this integration counts. It only causes a query; its content is not trusted. */
function onHints(integrationId: string, hint: () => void): () => void {
  const onMessage = ({ origin, data }: MessageEvent<{ integration_id?: unknown } | null>): void => {
    if (origin === location.origin && data?.integration_id === integrationId) hint();
  };
  window.addEventListener('message', onMessage);
  window.addEventListener('focus', hint);
  return () => {
    window.removeEventListener('message', onMessage);
    window.removeEventListener('focus', hint);
  };
}
