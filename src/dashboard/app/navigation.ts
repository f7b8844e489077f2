import { type ComponentType } from 'react';
import { WaitingCount } from '../waits/waiting-count.js';
import { type Icon } from '../ui/icons/icon.js';
import {
  IconActivity,
  IconBolt,
  IconBook,
  IconBuilding,
  IconCode,
  IconHistory,
  IconHourglassLow,
  IconKey,
  IconLayoutDashboard,
  IconPlug,
  IconRoute,
  IconTimelineEvent,
  IconUser,
  IconUsers,
  IconWebhook,
} from '../ui/icons/icons.js';

/** One entry of the sidebar. */
export interface NavigationItem {
  to: string;
  label: string;
  icon: Icon;
  /** The key that opens the page after G. */
  key: string;
  /** A page of the service outside the dashboard. */
  isOutside?: boolean;
  /** Stands at the end of the entry. */
  count?: ComponentType;
}

/** The sidebar from top to bottom; a group without a title comes first. */
export const NAVIGATION: readonly { title?: string; items: readonly NavigationItem[] }[] = [
  {
    items: [
      { to: '/', label: 'Overview', icon: IconLayoutDashboard, key: 'o' },
      { to: '/workflows', label: 'Workflows', icon: IconRoute, key: 'w' },
      { to: '/triggers', label: 'Triggers', icon: IconBolt, key: 't' },
      { to: '/runs', label: 'Runs', icon: IconActivity, key: 'r' },
      { to: '/waits', label: 'Waiting', icon: IconHourglassLow, key: 'q', count: WaitingCount },
      { to: '/integrations', label: 'Connections', icon: IconPlug, key: 'c' },
      { to: '/event-log', label: 'Events', icon: IconTimelineEvent, key: 'e' },
    ],
  },
  {
    title: 'Settings',
    items: [
      { to: '/settings/profile', label: 'Profile', icon: IconUser, key: 'p' },
      { to: '/settings/account', label: 'Account', icon: IconBuilding, key: 'a' },
      { to: '/settings/users', label: 'Users', icon: IconUsers, key: 'u' },
      { to: '/settings/api-keys', label: 'API keys', icon: IconKey, key: 'k' },
      { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook, key: 'h' },
      { to: '/settings/audit-log', label: 'Audit log', icon: IconHistory, key: 'l' },
    ],
  },
  {
    title: 'Build',
    items: [
      { to: '/developers', label: 'Developers', icon: IconCode, key: 'd' },
      { to: '/docs/reference', label: 'Documentation', icon: IconBook, key: 'm', isOutside: true },
    ],
  },
];
