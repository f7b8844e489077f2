import { ActionIcon, Menu } from '@mantine/core';
import { type Column } from '../../ui/tables/data-table-column.js';
import { EndDate } from '../../ui/values/end-date.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { type ApiKeyRowFragment } from './api-keys.generated.js';
import classes from './api-keys.module.css';
import { keyState, SCOPES } from './key-state.js';
import { IconDots, IconRotate, IconTrashX } from '../../ui/icons/icons.js';

/** Values and callbacks of the page; `now` in milliseconds. */
export interface KeyColumnsOptions {
  now: number;
  onRotate: (key: ApiKeyRowFragment) => void;
  onRevoke: (key: ApiKeyRowFragment) => void;
}

/** The columns of the list of keys. */
export function keyColumns({ now, ...on }: KeyColumnsOptions): readonly Column<ApiKeyRowFragment>[] {
  return [
    { header: 'Label', cell: (key) => <Label apiKey={key} isExpired={hasExpired(key, now)} /> },
    { header: 'Scope', cell: ({ scope }) => SCOPES[scope].label, width: '112px', phone: false },
    { header: 'Status', cell: (key) => <StatusBadge status={keyState(key, now)} />, width: '118px' },
    { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, width: '116px', narrow: false },
    {
      header: 'Last used',
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} fallback="Never" />,
      width: '116px',
      phone: false,
    },
    { header: 'Expires', cell: (key) => <End apiKey={key} />, width: '184px', narrow: false },
    {
      header: 'Actions',
      cell: (key) => (hasExpired(key, now) ? null : <KeyMenu apiKey={key} {...on} />),
      width: '84px',
      align: 'right',
    },
  ];
}

function hasExpired(key: ApiKeyRowFragment, now: number): boolean {
  return ['REVOKED', 'EXPIRED'].includes(keyState(key, now));
}

function Label({ apiKey: { label, lastFour, scope }, isExpired }: { apiKey: ApiKeyRowFragment; isExpired: boolean }) {
  return (
    <span className={classes.key} data-over={isExpired || undefined}>
      <span className={classes.label} title={label}>
        {label}
      </span>
      <span className={classes.soft}>
        <code>
          <span className={classes.prefix}>wfk_</span>…{lastFour}
        </code>
        <span className={classes.onPhone}> · {SCOPES[scope].label}</span>
      </span>
    </span>
  );
}

function End({ apiKey: { revokedAt, expiresAt } }: { apiKey: ApiKeyRowFragment }) {
  if (revokedAt === null) return <EndDate at={expiresAt} fallback="Never" />;
  return (
    <>
      Revoked <EndDate at={revokedAt} />
    </>
  );
}

function KeyMenu({ apiKey, onRotate, onRevoke }: Omit<KeyColumnsOptions, 'now'> & { apiKey: ApiKeyRowFragment }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${apiKey.label}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRotate size={15} aria-hidden />} onClick={() => onRotate(apiKey)}>
          Rotate
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrashX size={15} aria-hidden />} onClick={() => onRevoke(apiKey)}>
          Revoke
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
