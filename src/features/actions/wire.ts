import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneActionLists } from './action-lists.job.js';
import { ActionResolver } from './action.resolver.js';
import { ActionService } from './action.service.js';

/** What a run has to do; runs carry it out. */
export function wireActions({ db, clock, secrets }: Platform): Feature & { service: ActionService } {
  const service = new ActionService(db, clock, secrets);
  return { service, resolvers: [new ActionResolver(service)], jobs: [pruneActionLists(db, clock)] };
}
