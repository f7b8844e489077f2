import { Skeleton, Stack } from '@mantine/core';
import { ErrorState } from '../../../ui/pages/error-state.js';
import { CodeBlock } from '../../../ui/values/code-block.js';
import { JsonView } from '../../../ui/json/json-view.js';
import { type DeliveryRowFragment } from '../deliveries.generated.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { type DeliveryLog as Log, useDeliveryLog } from './use-delivery-log.js';
import classes from './delivery-log.module.css';

/** Every attempt of a delivery, and the request that it sends. */
export function DeliveryLog({ webhookId, delivery }: { webhookId: string; delivery: DeliveryRowFragment }) {
  const { log, error, retry } = useDeliveryLog(webhookId, delivery);
  if (log === undefined)
    return error === undefined ? <Skeleton height={160} radius="md" /> : <ErrorState error={error} onRetry={retry} />;
  return (
    <Stack gap="md">
      {log.tries.length > 0 && <DeliveryAttempts tries={log.tries} />}
      <div>
        <h3 className={classes.title}>Request headers</h3>
        <CodeBlock code={headersOf(log)} label="request headers" wrap />
        <p className={classes.remark}>
          Sent too, but not stored: <code>webhook-signature</code> and <code>workflow-hops</code>.
        </p>
      </div>
      <div>
        <h3 className={classes.title}>Request body</h3>
        {log.body === null ? (
          <p className={classes.remark}>Deleted with the event.</p>
        ) : (
          <JsonView value={log.body} label="request body" />
        )}
      </div>
    </Stack>
  );
}

/** The headers of the last attempt. An attempt is signed at the time at which it begins. */
function headersOf({ eventId, tries }: Log): string {
  const last = tries.at(-1);
  return [
    'content-type: application/json',
    'user-agent: workflow-gateway',
    `webhook-id: ${eventId}`,
    ...(last === undefined ? [] : [`webhook-timestamp: ${Math.floor(Date.parse(last.at) / 1_000)}`]),
  ].join('\n');
}
