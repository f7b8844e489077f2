import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type DeliveryRowFragment, type WebhookQuery } from '../deliveries.generated.js';
import { DeliveryDetails } from './delivery-details.js';

/** The delivery that the URL names (`?delivery=`), if it is or was on the page of the list. */
export function DeliveryDialog({ webhook, onSent }: { webhook: WebhookQuery['webhook']; onSent: () => void }) {
  const [params, setParams] = useSearchParams();
  const id = params.get('delivery');
  const found = webhook.deliveries.items.find((delivery) => delivery.id === id);
  const [last, setLast] = useState<DeliveryRowFragment>();
  // A refresh may move the delivery to another page; the dialog keeps showing it.
  if (found !== undefined && found !== last) setLast(found);
  const shown = found ?? last;
  const close = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('delivery');
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Modal
      data-in-url
      opened={shown !== undefined && shown.id === id}
      onClose={close}
      size={620}
      title={shown?.type ?? ''}
    >
      {shown !== undefined && (
        <DeliveryDetails
          webhook={webhook}
          delivery={shown}
          onSent={() => {
            close();
            onSent();
          }}
        />
      )}
    </Modal>
  );
}
