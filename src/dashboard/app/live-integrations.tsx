import { useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';

/** Listens for every change of the account's connections: the cache takes them, and each badge on screen is right. */
export function LiveIntegrations() {
  useSubscription({ query: IntegrationChangesDocument });
  return null;
}
