import { type Feature } from '../../platform/feature.js';
import { type Platform } from '../../platform/platform.js';
import { pruneActionListsJob } from './action-lists.job.js';
import { ActionResolver } from './action.resolver.js';
import { ActionService } from './action.service.js';
import { type OffersType } from './offers-type.js';

/** The actions of workflows: stored, validated and rendered here, executed by runs. */
export function wireActions(
  { db, clock, secrets, longWork, stored }: Platform,
  { offersType }: { offersType: OffersType },
): Feature & { service: ActionService } {
  const service = new ActionService(db, clock, secrets, offersType, longWork, stored);
  return { service, resolvers: [new ActionResolver(service)], jobs: [pruneActionListsJob(db, clock)] };
}
