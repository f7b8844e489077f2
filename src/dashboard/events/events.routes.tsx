import { type RouteObject } from 'react-router';

/** The address of the log of events. `/events/…` is where applications post theirs. */
export const eventRoutes: RouteObject[] = [
  { path: 'event-log', lazy: async () => ({ Component: (await import('./events.page.js')).EventsPage }) },
];
