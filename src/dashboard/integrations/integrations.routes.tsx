import { type RouteObject } from 'react-router';

/** The addresses of integrations. */
export const integrationRoutes: RouteObject[] = [
  {
    path: 'integrations',
    lazy: async () => ({ Component: (await import('./integrations.page.js')).IntegrationsPage }),
  },
  {
    path: 'integrations/new',
    lazy: async () => ({ Component: (await import('./catalog/catalog.page.js')).CatalogPage }),
  },
  {
    path: 'integrations/new/:type',
    lazy: async () => ({ Component: (await import('./connect.page.js')).ConnectPage }),
  },
  {
    path: 'integrations/:id',
    lazy: async () => ({ Component: (await import('./integration.page.js')).IntegrationPage }),
  },
];
