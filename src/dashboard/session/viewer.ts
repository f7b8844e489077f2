import { createContext, use } from 'react';
import { type ViewerQuery } from './viewer.generated.js';

/** The signed-in user and their account. */
export type Viewer = ViewerQuery['viewer'];

/** Filled by `SignedIn`. */
export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** The signed-in person and their account; on every page inside the shell. */
export function useViewer(): Viewer {
  const viewer = use(ViewerContext);
  if (viewer === undefined) throw new Error('Only pages inside the shell know a viewer.');
  return viewer;
}
