import {
  IconActivity,
  IconBolt,
  IconBook,
  IconCode,
  IconKey,
  IconLayoutDashboard,
  IconPlug,
  IconRoute,
  IconUser,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';

/** One entry of the sidebar. */
export interface NavigationItem {
  to: string;
  label: string;
  icon: TablerIcon;
  /** A page of the service outside the dashboard. */
  isOutside?: boolean;
}

/** The sidebar from top to bottom; a group without a title comes first. */
export const NAVIGATION: readonly { title?: string; items: readonly NavigationItem[] }[] = [
  {
    items: [
      { to: '/', label: 'Overview', icon: IconLayoutDashboard },
      { to: '/workflows', label: 'Workflows', icon: IconRoute },
      { to: '/triggers', label: 'Triggers', icon: IconBolt },
      { to: '/runs', label: 'Runs', icon: IconActivity },
      { to: '/integrations', label: 'Connections', icon: IconPlug },
    ],
  },
  {
    title: 'Account settings',
    items: [
      { to: '/settings/profile', label: 'Profile', icon: IconUser },
      { to: '/settings/users', label: 'Users', icon: IconUsers },
      { to: '/settings/api-keys', label: 'API keys', icon: IconKey },
      { to: '/settings/webhooks', label: 'Webhooks', icon: IconWebhook },
    ],
  },
  {
    title: 'Build',
    items: [
      { to: '/developers', label: 'Developers', icon: IconCode },
      { to: '/docs/reference', label: 'Documentation', icon: IconBook, isOutside: true },
    ],
  },
];
