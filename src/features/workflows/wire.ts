import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { WorkflowResolver } from './workflow.resolver.js';
import { type WorkflowEndings, WorkflowService } from './workflow.service.js';

interface Workflows extends Feature {
  service: WorkflowService;
}

/** Wires workflows. `endings` are what other features do when a workflow is deleted. */
export function wireWorkflows({ db, clock }: Platform, { endings }: { endings: WorkflowEndings }): Workflows {
  const service = new WorkflowService(db, clock, endings);
  return { service, resolvers: [new WorkflowResolver(service)] };
}
