import { type RouteObject } from 'react-router';

/** The addresses of triggers. */
export const triggerRoutes: RouteObject[] = [
  { path: 'triggers', lazy: async () => ({ Component: (await import('./triggers.page.js')).TriggersPage }) },
  { path: 'triggers/:id', lazy: async () => ({ Component: (await import('./trigger.page.js')).TriggerPage }) },
];
