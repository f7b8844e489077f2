import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from 'urql';
import { DataTable } from '../../ui/tables/data-table.js';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { NewWebhookDialog } from './dialogs/new-webhook.dialog.js';
import { WEBHOOK_COLUMNS } from './webhook-columns.js';
import { WebhooksDocument } from './webhooks.generated.js';
import { IconPlus, IconWebhook } from '../../ui/icons/icons.js';

/** `/settings/webhooks`: the webhooks of the account, newest first. */
export function WebhooksPage() {
  const { page, perPage } = usePaging();
  const [creating, create] = useDisclosure();
  const [{ data, error, fetching }, ask] = useQuery({ query: WebhooksDocument, variables: { page, perPage } });
  const reload = () => ask({ requestPolicy: 'network-only' });
  useOnReturn(reload);
  const newWebhook = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
      New webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead="Signed HTTP posts to your own URLs, with retries, when a run ends or something changes."
        actions={newWebhook}
      />
      <DataTable
        label="Webhooks"
        columns={WEBHOOK_COLUMNS}
        page={data?.webhooks}
        fetching={fetching && data === undefined}
        error={error}
        onRetry={reload}
        href={({ id }) => `/settings/webhooks/${id}`}
        empty={
          <EmptyState icon={IconWebhook} title="Get notified instead of polling" action={newWebhook}>
            Enter a URL and choose its events. Each event is sent as a signed POST, and retried until it arrives.
          </EmptyState>
        }
      />
      <NewWebhookDialog opened={creating} onClose={create.close} />
    </>
  );
}
