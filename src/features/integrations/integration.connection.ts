import { connectionResolver } from '../../platform/graphql/connections.js';
import { Integration } from './integration.entity.js';
import { IntegrationFilter } from './integration.inputs.js';

export const IntegrationConnectionResolver = connectionResolver({
  name: 'integration',
  node: Integration,
  filter: IntegrationFilter,
  description: 'Integrations of the account, newest first.',
  isLive: true,
});
