import { createBrowserRouter, type RouteObject } from 'react-router';
import { developerRoutes } from '../developers/developers.routes.js';
import { integrationRoutes } from '../integrations/integrations.routes.js';
import { overviewRoutes } from '../overview/overview.routes.js';
import { runRoutes } from '../runs/runs.routes.js';
import { sessionRoutes } from '../session/session.routes.js';
import { settingsRoutes } from '../settings/settings.routes.js';
import { triggerRoutes } from '../triggers/triggers.routes.js';
import { workflowRoutes } from '../workflows/workflows.routes.js';
import { NotFoundPage } from './not-found.page.js';
import { RouteFault } from './route-fault.js';
import { Shell } from './shell.js';
import { SignedIn } from './signed-in.js';

/** Each feature brings its own addresses, with pages that are loaded when they are gone to. */
export const router = createBrowserRouter([
  {
    errorElement: <RouteFault />,
    // Nothing to show while the first page's code comes.
    hydrateFallbackElement: <></>,
    children: [
      ...sessionRoutes,
      {
        element: (
          <SignedIn>
            <Shell />
          </SignedIn>
        ),
        children: [
          {
            // Within the shell, so that a page that fails leaves the way to the others.
            errorElement: <RouteFault />,
            children: [
              ...overviewRoutes,
              ...workflowRoutes.map(withinItsPage),
              ...triggerRoutes,
              ...runRoutes,
              ...integrationRoutes,
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

/** A tab that fails leaves the page around it, with what is unsaved there. */
function withinItsPage(route: RouteObject): RouteObject {
  const { children } = route;
  if (children === undefined) return route;
  return { ...route, index: false, children: [{ errorElement: <RouteFault />, children }] };
}
