import { useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';

/** Subscribes to all changes of the account's connections, so that the cache and every badge stay current. */
export function LiveIntegrations() {
  useSubscription({ query: IntegrationChangesDocument });
  return null;
}
