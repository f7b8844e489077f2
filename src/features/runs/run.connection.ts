import { connectionResolver } from '../../platform/graphql/connections.js';
import { Run } from './run.entity.js';
import { RunFilter } from './run.inputs.js';

export const RunConnectionResolver = connectionResolver({
  name: 'run',
  node: Run,
  filter: RunFilter,
  description: 'Runs of the account, newest first.',
  isLive: true,
});
