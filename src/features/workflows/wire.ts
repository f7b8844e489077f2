import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { nodesOf } from '../../platform/graphql/nodes.js';
import { WorkflowConnectionResolver } from './workflow.connection.js';
import { Workflow } from './workflow.entity.js';
import { WorkflowResolver } from './workflow.resolver.js';
import { type StatusFollower, type WorkflowEndings, WorkflowService } from './workflow.service.js';

interface Workflows extends Feature {
  service: WorkflowService;
}

interface Needs {
  /** What other features do when a workflow is deleted. */
  endings: WorkflowEndings;
  /** What another feature does when a workflow is activated or deactivated. */
  followStatus: StatusFollower;
}

/** Wires workflows, which know neither triggers nor runs. */
export function wireWorkflows({ db, clock, stored }: Platform, { endings, followStatus }: Needs): Workflows {
  const service = new WorkflowService(db, clock, endings, followStatus, stored);
  return {
    service,
    resolvers: [
      new WorkflowResolver(service),
      new WorkflowConnectionResolver((context, filter, span) => service.list(context, filter, span)),
    ],
    nodes: [nodesOf(db, { table: 'workflows', entity: Workflow })],
  };
}
