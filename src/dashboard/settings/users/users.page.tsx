import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from 'urql';
import { DataTable } from '../../ui/tables/data-table.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { useDialogOf } from '../../ui/forms/use-dialog-of.js';
import { useOnReturn } from '../../ui/use-on-return.js';
import { usePaging } from '../../ui/tables/use-paging.js';
import { InvitationList } from './invitation-list.js';
import { InviteDialog } from './invite.dialog.js';
import { RemoveUserDialog } from './remove-user.dialog.js';
import { useUserColumns } from './user-columns.js';
import { type UserRowFragment, UsersDocument } from './users.generated.js';
import { IconUserPlus } from '../../ui/icons/icons.js';

/** The query parameter for the page of the second list. */
const INVITATIONS_PAGE = 'invitations_page';

/** `/settings/users`: the users and the pending invitations. */
export function UsersPage() {
  const { page, perPage } = usePaging();
  const { page: invitationsPage } = usePaging(INVITATIONS_PAGE);
  const [inviting, invite] = useDisclosure();
  const removing = useDialogOf<UserRowFragment>();
  const [{ data, error, fetching }, ask] = useQuery({
    query: UsersDocument,
    variables: { page, perPage, invitationsPage },
  });
  const reload = () => ask({ requestPolicy: 'network-only' });
  useOnReturn(reload);
  const columns = useUserColumns({ isOnly: data?.users.meta.total === 1, onRemove: removing.open });
  const isLoading = fetching && data === undefined;
  return (
    <>
      <PageHeader
        title="Users"
        lead="Everyone here can see and do everything in this account."
        actions={
          <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite.open}>
            Invite user
          </Button>
        }
      />
      <DataTable
        label="Users"
        columns={columns}
        page={data?.users}
        fetching={isLoading}
        error={error}
        onRetry={reload}
        empty={null}
      />
      <InvitationList page={data?.invitations} pageName={INVITATIONS_PAGE} />
      <InviteDialog opened={inviting} onClose={invite.close} />
      <RemoveUserDialog {...removing} />
    </>
  );
}
