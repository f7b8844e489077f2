import { createBrowserRouter, type RouteObject } from 'react-router';
import { developerRoutes } from '../developers/developers.routes.js';
import { eventRoutes } from '../events/events.routes.js';
import { integrationRoutes } from '../integrations/integrations.routes.js';
import { overviewRoutes } from '../overview/overview.routes.js';
import { runRoutes } from '../runs/runs.routes.js';
import { sessionRoutes } from '../session/session.routes.js';
import { settingsRoutes } from '../settings/settings.routes.js';
import { triggerRoutes } from '../triggers/triggers.routes.js';
import { waitRoutes } from '../waits/waits.routes.js';
import { workflowRoutes } from '../workflows/workflows.routes.js';
import { NotFoundPage } from './not-found.page.js';
import { RouteFault } from './route-fault.js';
import { Starting } from './starting.js';

/** The routes of all features; pages load on first navigation. */
export const router = createBrowserRouter([
  {
    errorElement: <RouteFault />,
    hydrateFallbackElement: <Starting />,
    children: [
      ...sessionRoutes,
      {
        lazy: async () => ({ Component: (await import('./signed-in-shell.js')).SignedInShell }),
        children: [
          {
            // Within the shell, so that the navigation stays when a page fails.
            errorElement: <RouteFault />,
            children: [
              ...overviewRoutes,
              ...workflowRoutes.map(withinItsPage),
              ...triggerRoutes,
              ...runRoutes,
              ...waitRoutes,
              ...integrationRoutes,
              ...eventRoutes,
              ...settingsRoutes,
              ...developerRoutes,
              { path: '*', element: <NotFoundPage /> },
            ],
          },
        ],
      },
    ],
  },
]);

/** When a tab fails, the page around it stays, with its unsaved changes. */
function withinItsPage(route: RouteObject): RouteObject {
  const { children } = route;
  if (children === undefined) return route;
  return { ...route, index: false, children: [{ errorElement: <RouteFault />, children }] };
}
