import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { DataTable } from '../../ui/tables/data-table.js';
import { EmptyState } from '../../ui/pages/empty-state.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { useDialogOf } from '../../ui/forms/use-dialog-of.js';
import { useNow } from '../../ui/values/use-now.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { keyColumns } from './api-key-columns.js';
import { type ApiKeyRowFragment, ApiKeysDocument } from './api-keys.generated.js';
import { NewApiKeyDialog } from './new-api-key.dialog.js';
import { RevokeKeyDialog } from './revoke-key.dialog.js';
import { RotateKeyDialog } from './rotate-key.dialog.js';
import { IconKey, IconPlus } from '../../ui/icons/icons.js';

/** `/settings/api-keys`: the account's keys, newest first, revoked ones too. */
export function ApiKeysPage() {
  const { page, perPage } = usePaging();
  const [creating, create] = useDisclosure();
  const rotating = useDialogOf<ApiKeyRowFragment>();
  const revoking = useDialogOf<ApiKeyRowFragment>();
  const [{ data, error, fetching }, ask] = useQuery({ query: ApiKeysDocument, variables: { page, perPage } });
  const reload = () => ask({ requestPolicy: 'network-only' });
  useOnReturn(reload);
  const now = useNow(true, 15_000);
  const newKey = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create.open}>
      New API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        lead={
          <>
            For programs that call the API. A key is valid for the whole account, within its scope, until it is revoked.{' '}
            <Link to="/developers">How to use one</Link>
          </>
        }
        actions={newKey}
      />
      <DataTable
        label="API keys"
        columns={keyColumns({ now, onRotate: rotating.open, onRevoke: revoking.open })}
        page={data?.apiKeys}
        fetching={fetching && data === undefined}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={IconKey} title="Create your first API key" action={newKey}>
            Give it a label that names the program using it. The key is shown only once, when you create it.
          </EmptyState>
        }
      />
      <NewApiKeyDialog opened={creating} onClose={create.close} />
      <RotateKeyDialog {...rotating} />
      <RevokeKeyDialog {...revoking} />
    </>
  );
}
