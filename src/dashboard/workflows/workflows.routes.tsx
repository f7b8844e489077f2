import { type RouteObject } from 'react-router';

/** The addresses of workflows. */
export const workflowRoutes: RouteObject[] = [
  {
    path: 'workflows',
    lazy: async () => ({ Component: (await import('./workflows.page.js')).WorkflowsPage }),
  },
];
