import { type RouteObject } from 'react-router';

/** The addresses of workflows. */
export const workflowRoutes: RouteObject[] = [
  {
    path: 'workflows',
    lazy: async () => ({ Component: (await import('./workflows.page.js')).WorkflowsPage }),
  },
  {
    path: 'workflows/:id',
    lazy: async () => ({ Component: (await import('./workflow.page.js')).WorkflowPage }),
    children: [
      // A workflow's own address is that of its actions.
      { path: 'actions?', lazy: async () => ({ Component: (await import('./tabs/actions.tab.js')).ActionsTab }) },
      { path: 'triggers', lazy: async () => ({ Component: (await import('./tabs/triggers.tab.js')).TriggersTab }) },
      { path: 'runs', lazy: async () => ({ Component: (await import('./tabs/runs.tab.js')).RunsTab }) },
      { path: 'settings', lazy: async () => ({ Component: (await import('./tabs/settings.tab.js')).SettingsTab }) },
    ],
  },
];
