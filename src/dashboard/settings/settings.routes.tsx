import { redirect, type RouteObject } from 'react-router';

/** The addresses of account settings. */
export const settingsRoutes: RouteObject[] = [
  { path: 'settings', loader: () => redirect('/settings/profile') },
  {
    path: 'settings/profile',
    lazy: async () => ({ Component: (await import('./profile/profile.page.js')).ProfilePage }),
  },
  {
    path: 'settings/account',
    lazy: async () => ({ Component: (await import('./account/account.page.js')).AccountPage }),
  },
  {
    path: 'settings/users',
    lazy: async () => ({ Component: (await import('./users/users.page.js')).UsersPage }),
  },
  {
    path: 'settings/api-keys',
    lazy: async () => ({ Component: (await import('./api-keys/api-keys.page.js')).ApiKeysPage }),
  },
  {
    path: 'settings/audit-log',
    lazy: async () => ({ Component: (await import('./audit-log/audit-log.page.js')).AuditLogPage }),
  },
  {
    path: 'settings/webhooks',
    lazy: async () => ({ Component: (await import('./webhooks/webhooks.page.js')).WebhooksPage }),
  },
  {
    path: 'settings/webhooks/:id',
    lazy: async () => ({ Component: (await import('./webhooks/webhook.page.js')).WebhookPage }),
  },
];
