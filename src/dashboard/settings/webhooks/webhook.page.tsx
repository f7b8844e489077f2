import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { NotThere } from '../../ui/pages/not-there.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { useStatusFilter } from '../../ui/tables/status-filter.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { Deliveries } from './deliveries/deliveries.js';
import { WebhookDocument } from './deliveries.generated.js';
import { DELIVERY_STATUSES } from './deliveries/delivery-statuses.js';
import { useDeliveryNews } from './deliveries/use-delivery-news.js';
import { WebhookActions } from './webhook-actions.js';
import { WebhookDisabled } from './webhook-disabled.js';
import { WebhookFactsList } from './webhook-facts-list.js';

const TRAIL = [{ to: '/settings/webhooks', label: 'Webhooks' }] as const;

/** `/settings/webhooks/:id`: events, status and deliveries of a webhook. */
export function WebhookPage() {
  const { id = '' } = useParams();
  return <OneWebhook key={id} id={id} />;
}

function OneWebhook({ id }: { id: string }) {
  const [deleted, setDeleted] = useState(false);
  const { page, perPage } = usePaging();
  const status = useStatusFilter(DELIVERY_STATUSES);
  const variables = { id, page, perPage, status };
  const [{ data, error, fetching }, ask] = useQuery({ query: WebhookDocument, variables, pause: deleted });
  const webhook = deleted ? undefined : data?.webhook;
  const refresh = useDeliveryNews(variables, webhook?.deliveries.items);
  if (webhook === undefined) {
    const retry = (): void => ask({ requestPolicy: 'network-only' });
    if (error !== undefined) return <NotThere what="webhook" all={TRAIL[0].to} error={error} onRetry={retry} />;
    return (
      <>
        <PageHeader title="Webhook" trail={TRAIL} />
        <Loading />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={webhook.url.replace(/^https?:\/\//, '').split(/[?#]/, 1)[0]!}
        trail={TRAIL}
        badge={<StatusBadge status={webhook.status} />}
        actions={<WebhookActions webhook={webhook} onSent={refresh} onDeleted={() => setDeleted(true)} />}
      />
      <WebhookDisabled webhook={webhook} />
      <WebhookFactsList webhook={webhook} />
      <Deliveries webhook={webhook} fetching={fetching} onSent={refresh} />
    </>
  );
}

function Loading() {
  return (
    <div aria-hidden>
      <Skeleton height={110} radius="lg" mb={32} />
      <Skeleton height={16} width={120} mb={14} />
      <Skeleton height={300} radius="lg" />
    </div>
  );
}
