import { connectionResolver } from '../../platform/graphql/connections.js';
import { Wait } from './wait.entity.js';
import { WaitFilter } from './wait.inputs.js';

export const WaitConnectionResolver = connectionResolver({
  name: 'wait',
  node: Wait,
  filter: WaitFilter,
  description: 'Waits of the account, newest first.',
  isLive: true,
});
