import {
  type IntegrationStatus,
  type RunStatus,
  type StepStatus,
  type TriggerStatus,
  type WebhookDeliveryStatus,
  type WebhookStatus,
  type WorkflowStatus,
} from '../../graphql/enums.generated.js';
import { type Icon } from '../icons/icon.js';
import {
  IconAlertTriangle,
  IconArchive,
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconHourglassLow,
  IconLoader2,
  IconMinus,
  IconPencil,
  IconPlayerPause,
  IconPlayerSkipForward,
  IconPlugConnectedX,
  IconX,
} from '../icons/icons.js';
import classes from './status-badge.module.css';

/** Every status of the schema, those of a key, and that of an action after the end of its run; the same word means the same everywhere. */
export type Status =
  | 'EXPIRING'
  | 'NOT_REACHED'
  | 'REVOKED'
  | IntegrationStatus
  | RunStatus
  | StepStatus
  | TriggerStatus
  | WebhookDeliveryStatus
  | WebhookStatus
  | WorkflowStatus;

type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

const LOOKS: Readonly<Record<Status, readonly [label: string, tone: Tone, icon: Icon]>> = {
  ACTIVE: ['Active', 'good', IconCheck],
  DRAFT: ['Draft', 'idle', IconPencil],
  PAUSED: ['Paused', 'warn', IconPlayerPause],
  ARCHIVED: ['Archived', 'idle', IconArchive],
  ERROR: ['Error', 'bad', IconAlertTriangle],
  QUEUED: ['Queued', 'idle', IconClock],
  RUNNING: ['Running', 'busy', IconLoader2],
  WAITING: ['Waiting', 'warn', IconHourglassLow],
  SUCCEEDED: ['Succeeded', 'good', IconCheck],
  FAILED: ['Failed', 'bad', IconX],
  CANCELED: ['Canceled', 'idle', IconBan],
  NOT_REACHED: ['Not reached', 'idle', IconMinus],
  SKIPPED: ['Skipped', 'idle', IconPlayerSkipForward],
  CONNECTED: ['Connected', 'good', IconCheck],
  PENDING: ['Pending', 'busy', IconCircleDashed],
  EXPIRED: ['Expired', 'bad', IconAlertTriangle],
  DISCONNECTED: ['Disconnected', 'warn', IconPlugConnectedX],
  ENABLED: ['Enabled', 'good', IconCheck],
  DISABLED: ['Disabled', 'idle', IconPlayerPause],
  EXPIRING: ['Expiring', 'warn', IconClock],
  REVOKED: ['Revoked', 'idle', IconBan],
};

/** A status as colour, icon and text. */
export function StatusBadge({ status }: { status: Status }) {
  const [label, tone, Icon] = LOOKS[status];
  return (
    <span className={classes.badge} data-tone={tone} data-status={status}>
      <Icon size={13} stroke={2.2} aria-hidden className={status === 'RUNNING' ? classes.turning : undefined} />
      {label}
    </span>
  );
}

/** The word for a status, e.g. for the choices of a filter. */
export function statusLabel(status: Status): string {
  return LOOKS[status][0];
}
