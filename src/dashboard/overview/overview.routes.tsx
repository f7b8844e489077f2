import { type RouteObject } from 'react-router';

/** The addresses of this feature. */
export const overviewRoutes: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./overview.page.js')).OverviewPage }) },
];
