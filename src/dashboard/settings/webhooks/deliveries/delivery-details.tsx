import { Button, Group, Stack } from '@mantine/core';
import { CodeBlock } from '../../../ui/values/code-block.js';
import { ExactTime } from '../../../ui/values/exact-time.js';
import { Fact, Facts } from '../../../ui/values/facts.js';
import { Notice } from '../../../ui/pages/notice.js';
import { notifyDone } from '../../../ui/pages/notify.js';
import { RelativeTime } from '../../../ui/values/relative-time.js';
import { StatusBadge } from '../../../ui/values/status-badge.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { useFocusBack } from '../../../ui/use-focus-back.js';
import {
  type DeliveryRowFragment,
  RedeliverWebhookDeliveryDocument,
  type WebhookQuery,
} from '../deliveries.generated.js';
import { DeliveryLog } from './delivery-log.js';
import { IconSend } from '../../../ui/icons/icons.js';
import classes from '../webhook.module.css';

/** The state of one delivery, its attempts and its request, and a button that sends its event again. */
export function DeliveryDetails({ webhook, delivery, onSent }: DeliveryDetailsProps) {
  const { run, running } = useAction(RedeliverWebhookDeliveryDocument);
  const button = useFocusBack(running);
  const { id, status, error, responseBody } = delivery;
  const isDisabled = webhook.status === 'DISABLED';
  const sendAgain = async () => {
    if ((await run({ webhookId: webhook.id, deliveryId: id })) === undefined) return;
    notifyDone('The event is sent again, as a delivery of its own.');
    onSent();
  };
  return (
    <Stack gap="md">
      <DeliveryFacts delivery={delivery} />
      {error !== null && status !== 'SUCCEEDED' && <Notice tone={status === 'FAILED' ? 'bad' : 'warn'}>{error}</Notice>}
      {responseBody !== null && responseBody !== '' && (
        <div>
          Response body (first part)
          <CodeBlock code={responseBody} label="response body" wrap />
        </div>
      )}
      <DeliveryLog webhookId={webhook.id} delivery={delivery} />
      <Group justify="space-between" gap="xs">
        <span className={classes.remark}>
          {isDisabled
            ? 'The webhook is disabled: enable it to send again.'
            : 'It keeps its webhook-id, so that receivers recognize it.'}
        </span>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={running}
          disabled={isDisabled}
          onClick={() => void sendAgain()}
        >
          Send again
        </Button>
      </Group>
    </Stack>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryRowFragment }) {
  const { id, status, attempts, responseStatus, nextAttemptAt, createdAt, completedAt } = delivery;
  return (
    <Facts layout="dialog">
      <Fact name="Status">
        <StatusBadge status={status} />
      </Fact>
      <Fact name="Response">{responseStatus ?? (attempts > 0 ? 'None' : 'Not yet')}</Fact>
      <Fact name="Attempts">{attempts}</Fact>
      {status === 'PENDING' ? (
        <Fact name="Next attempt">
          <RelativeTime at={nextAttemptAt} fallback="Being sent" />
        </Fact>
      ) : (
        <Fact name={status === 'SUCCEEDED' ? 'Arrived' : 'Gave up'}>
          {completedAt !== null && <ExactTime at={completedAt} />}
        </Fact>
      )}
      <Fact name="Created">
        <ExactTime at={createdAt} />
      </Fact>
      <Fact name="Id">
        <code>{id}</code>
      </Fact>
    </Facts>
  );
}

/** `onSent` fires after the event was sent again. */
export interface DeliveryDetailsProps {
  webhook: WebhookQuery['webhook'];
  delivery: DeliveryRowFragment;
  onSent: () => void;
}
