import { ChangeFeed } from '../../../platform/changes/change-feed.js';
import { type Feature } from '../../../platform/feature.js';
import { nodesOf } from '../../../platform/graphql/nodes.js';
import { type Platform } from '../../../platform/platform.js';
import { bulkChanges } from './bulk-changes.js';
import { BulkBatches, type BulkDependencies } from './bulk-batches.js';
import { bulkJobs } from './bulk.job.js';
import { BulkOperation } from './bulk-operation.entity.js';
import { BulkRequests } from './bulk-requests.js';
import { BulkResolver } from './bulk.resolver.js';
import { BulkService } from './bulk.service.js';

/** Wires the retry and the cancelation of many runs, and the job that executes them. */
export function wireBulk(
  { db, clock, notifications, logger }: Platform,
  services: Pick<BulkDependencies, 'queue' | 'retries' | 'cancels'>,
): Required<Omit<Feature, 'workers'>> {
  const feed = new ChangeFeed(bulkChanges, db, notifications, logger);
  const requests = new BulkRequests(db, clock, notifications);
  const batches = new BulkBatches({ db, clock, logger, notifications, ...services });
  return {
    resolvers: [new BulkResolver(requests, new BulkService(db, clock, notifications, feed))],
    nodes: [nodesOf(db, { table: 'bulk_operations', entity: BulkOperation })],
    jobs: bulkJobs(db, clock, batches),
    metrics: { bulk_listeners: { help: 'Listeners for changes of bulk operations.', read: () => feed.listeners } },
    stop: () => feed.stop(),
  };
}
