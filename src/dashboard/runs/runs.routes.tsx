import { type RouteObject } from 'react-router';

/** The addresses of runs. */
export const runRoutes: RouteObject[] = [
  { path: 'runs', lazy: async () => ({ Component: (await import('./runs.page.js')).RunsPage }) },
  { path: 'runs/:id', lazy: async () => ({ Component: (await import('./run.page.js')).RunPage }) },
];
