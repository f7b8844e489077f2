import { createContext, type ReactNode, use } from 'react';
import { type Client, Provider } from 'urql';

/** Filled by `SignedIn`. */
export const UncachedClient = createContext<Client | undefined>(undefined);

/** Disables the cache for queries of its children: for secrets, which must be gone once they are off the screen. */
export function Uncached({ children }: { children: ReactNode }) {
  const client = use(UncachedClient);
  if (client === undefined) throw new Error('Only pages inside the shell have a client.');
  return <Provider value={client}>{children}</Provider>;
}
