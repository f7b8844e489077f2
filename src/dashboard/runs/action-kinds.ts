import { type ActionKind } from '../graphql/enums.generated.js';
import { type Icon } from '../ui/icons/icon.js';
import {
  IconFilter,
  IconHourglass,
  IconMail,
  IconPhoneIncoming,
  IconPlug,
  IconPlugConnected,
  IconUserCheck,
  IconWorld,
} from '../ui/icons/icons.js';

/** The name and icon of each kind of action. */
export const ACTION_KINDS: Readonly<Record<ActionKind, { label: string; icon: Icon }>> = {
  HTTP_REQUEST: { label: 'HTTP request', icon: IconWorld },
  APP_REQUEST: { label: 'App request', icon: IconPlugConnected },
  CONDITION: { label: 'Condition', icon: IconFilter },
  DELAY: { label: 'Delay', icon: IconHourglass },
  SEND_EMAIL: { label: 'Send email', icon: IconMail },
  WAIT_FOR_APPROVAL: { label: 'Wait for approval', icon: IconUserCheck },
  WAIT_FOR_CALLBACK: { label: 'Wait for callback', icon: IconPhoneIncoming },
  WAIT_FOR_CONNECTION: { label: 'Wait for connection', icon: IconPlug },
};
