import { Navigate, type RouteObject } from 'react-router';

/** The addresses of this feature. */
export const overviewRoutes: RouteObject[] = [{ index: true, element: <Navigate to="/workflows" replace /> }];
