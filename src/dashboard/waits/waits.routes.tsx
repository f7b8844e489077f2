import { type RouteObject } from 'react-router';

/** The addresses of waits. */
export const waitRoutes: RouteObject[] = [
  { path: 'waits', lazy: async () => ({ Component: (await import('./waits.page.js')).WaitsPage }) },
];
