import { useSearchParams } from 'react-router';
import { DataTable } from '../../../ui/tables/data-table.js';
import { EmptyState } from '../../../ui/pages/empty-state.js';
import { Section } from '../../../ui/pages/section.js';
import { StatusFilter, useStatusFilter } from '../../../ui/tables/status-filter.js';
import { type WebhookQuery } from '../deliveries.generated.js';
import { DeliveryDialog } from './delivery.dialog.js';
import { DELIVERY_COLUMNS } from './delivery-columns.js';
import { DELIVERY_STATUSES } from './delivery-statuses.js';
import { IconInbox, IconSearchOff } from '../../../ui/icons/icons.js';
import classes from '../webhook.module.css';

/** Sent and pending deliveries, newest first; each opens in a dialog, which the URL keeps (`?delivery=`). */
export function Deliveries({ webhook, fetching, onSent }: DeliveriesProps) {
  const [params] = useSearchParams();
  const isFiltered = useStatusFilter(DELIVERY_STATUSES) !== undefined;
  const href = (delivery: string): string => {
    const next = new URLSearchParams(params);
    next.set('delivery', delivery);
    return `?${next}`;
  };
  return (
    <Section
      title="Deliveries"
      lead="A failed delivery is tried up to 10 times, over three days. All deliveries are kept for 30 days."
      actions={
        <div className={classes.toolbar}>
          <StatusFilter statuses={DELIVERY_STATUSES} />
        </div>
      }
    >
      <DataTable
        label="Deliveries"
        columns={DELIVERY_COLUMNS}
        page={webhook.deliveries}
        fetching={fetching}
        error={undefined}
        onRetry={onSent}
        href={({ id }) => href(id)}
        empty={isFiltered ? <NoneInStatus /> : <NoDeliveries isDisabled={webhook.status === 'DISABLED'} />}
      />
      <DeliveryDialog webhook={webhook} onSent={onSent} />
    </Section>
  );
}

function NoDeliveries({ isDisabled }: { isDisabled: boolean }) {
  return (
    <EmptyState icon={IconInbox} title="Nothing sent yet" level={3}>
      {isDisabled
        ? 'Nothing is sent while the webhook is disabled.'
        : 'Send a test event to see whether it arrives, without waiting for a real event.'}
    </EmptyState>
  );
}

function NoneInStatus() {
  return <EmptyState icon={IconSearchOff} title="No delivery has this status" level={3} />;
}

/** `onSent` fires after a delivery was sent again. */
export interface DeliveriesProps {
  webhook: WebhookQuery['webhook'];
  fetching: boolean;
  onSent: () => void;
}
