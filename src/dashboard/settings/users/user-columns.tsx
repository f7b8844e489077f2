import { ActionIcon, Tooltip } from '@mantine/core';
import { useViewer } from '../../session/viewer.js';
import { type Column } from '../../ui/tables/data-table-column.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { type UserRowFragment } from './users.generated.js';
import { IconUserMinus } from '../../ui/icons/icons.js';
import classes from './users.module.css';

/** Values and callbacks of the page. */
export interface UserColumnsOptions {
  /** The last user cannot be removed. */
  isOnly: boolean;
  onRemove: (user: UserRowFragment) => void;
}

/** The columns of the list of users. */
export function useUserColumns({ isOnly, onRemove }: UserColumnsOptions): readonly Column<UserRowFragment>[] {
  const { user: self } = useViewer();
  return [
    { header: 'User', cell: (user) => <Person user={user} isSelf={user.id === self?.id} /> },
    { header: 'Joined', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '140px', phone: false },
    {
      header: 'Remove',
      width: '96px',
      align: 'right',
      cell: (user) => <RemoveButton user={user} isOnly={isOnly} onRemove={onRemove} />,
    },
  ];
}

function Person({ user: { name, email }, isSelf }: { user: UserRowFragment; isSelf: boolean }) {
  return (
    <span className={classes.person}>
      <span className={classes.name}>
        <span title={name}>{name}</span>
        {isSelf && <span className={classes.mark}>You</span>}
      </span>
      <span className={classes.soft} title={email}>
        {email}
      </span>
    </span>
  );
}

function RemoveButton({ user, isOnly, onRemove }: UserColumnsOptions & { user: UserRowFragment }) {
  const label = isOnly ? 'The last user cannot be removed. Invite another one first.' : `Remove ${user.name}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        // Not `disabled`: a disabled button gets no focus, and its tooltip would not be read out.
        aria-disabled={isOnly}
        data-disabled={isOnly || undefined}
        onClick={() => !isOnly && onRemove(user)}
      >
        <IconUserMinus size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
