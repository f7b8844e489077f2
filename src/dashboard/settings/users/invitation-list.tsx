import { ActionIcon, Tooltip } from '@mantine/core';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { type Column } from '../../ui/tables/data-table-column.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { EndDate } from '../../ui/values/end-date.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { Section } from '../../ui/pages/section.js';
import { useAction } from '../../ui/forms/use-action.js';
import { type DialogOf, useDialogOf } from '../../ui/forms/use-dialog-of.js';
import { type InvitationRowFragment, RevokeInvitationDocument, type UsersQuery } from './users.generated.js';
import { IconMailOff } from '../../ui/icons/icons.js';
import classes from './users.module.css';

/** The pending invitations; renders nothing without any. */
export function InvitationList({ page, pageName }: { page: UsersQuery['invitations'] | undefined; pageName: string }) {
  const revoking = useDialogOf<InvitationRowFragment>();
  const columns: readonly Column<InvitationRowFragment>[] = [
    { header: 'Email', cell: ({ email }) => <span title={email}>{email}</span> },
    { header: 'Invited', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '140px', phone: false },
    { header: 'Expires', cell: ({ expiresAt }) => <EndDate at={expiresAt} />, width: '130px', phone: false },
    {
      header: 'Revoke',
      width: '96px',
      align: 'right',
      cell: (invitation) => (
        <Tooltip label={`Revoke the invitation of ${invitation.email}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Revoke the invitation of ${invitation.email}`}
            onClick={() => revoking.open(invitation)}
          >
            <IconMailOff size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return (
    <>
      {page !== undefined && page.meta.total > 0 && (
        <div className={classes.invitations}>
          <Section
            title="Open invitations"
            lead="Each link works once, for 7 days. Invite an address again to get a new link."
          >
            <DataTable
              label="Open invitations"
              columns={columns}
              page={page}
              pageName={pageName}
              fetching={false}
              error={undefined}
              onRetry={() => undefined}
              empty={null}
            />
          </Section>
        </div>
      )}
      <RevokeDialog {...revoking} />
    </>
  );
}

function RevokeDialog({ about: invitation, opened, close }: DialogOf<InvitationRowFragment>) {
  const { run, running } = useAction(RevokeInvitationDocument);
  if (invitation === undefined) return null;
  const revoke = async () => {
    if ((await run({ id: invitation.id })) === undefined) return;
    close();
    notifyDone('The invitation is revoked.');
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title="Revoke the invitation?"
      confirmLabel="Revoke invitation"
      onConfirm={() => void revoke()}
      running={running}
    >
      The link that {invitation.email} got no longer works. You can invite the address again.
    </ConfirmDialog>
  );
}
