import { type RouteObject } from 'react-router';

/** The addresses of this feature. */
export const developerRoutes: RouteObject[] = [];
