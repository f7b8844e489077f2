import { type RouteObject } from 'react-router';

/** The addresses of this feature. */
export const developerRoutes: RouteObject[] = [
  { path: 'developers', lazy: async () => ({ Component: (await import('./developers.page.js')).DevelopersPage }) },
];
