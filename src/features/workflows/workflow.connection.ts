import { connectionResolver } from '../../platform/graphql/connections.js';
import { Workflow } from './workflow.entity.js';
import { WorkflowFilter } from './workflow.inputs.js';

export const WorkflowConnectionResolver = connectionResolver({
  name: 'workflow',
  node: Workflow,
  filter: WorkflowFilter,
  description: 'Workflows of the account, newest first.',
});
