import { type GraphQLSchema } from 'graphql';
import { Listeners } from '../../src/admission/listeners.js';
import { LongWork } from '../../src/admission/long-work.js';
import { systemClock } from '../../src/clock.js';
import { loadConfig } from '../../src/config/config.js';
import { createDataSource } from '../../src/db/data-source.js';
import { Database } from '../../src/db/database.js';
import { Notifications } from '../../src/events/notifications.js';
import { buildGatewaySchema } from '../../src/graphql/schema.js';
import { createOutbound } from '../../src/http/outbound.js';
import { AppRegistry } from '../../src/integrations/apps/registry.js';
import { JobQueues } from '../../src/jobs/job-queue.js';
import { createLogger } from '../../src/logger.js';
import { Secrets } from '../../src/secrets.js';
import { wire } from '../../src/wiring.js';

/** The schema over the real wiring on a floor that is never asked: nothing connects before something runs. */
export async function gatewaySchema(): Promise<GraphQLSchema> {
  const { config } = loadConfig({});
  const logger = createLogger('silent');
  const url = 'postgres://nobody@localhost/nothing';
  const features = wire(
    {
      config,
      db: new Database(createDataSource({ url, poolSize: 1 }, [])),
      clock: systemClock,
      secrets: new Secrets([Buffer.alloc(32)]),
      logger,
      notifications: new Notifications(url, logger),
      queues: new JobQueues(url, [], logger, { isWorker: false }),
      listeners: new Listeners(),
      longWork: new LongWork(),
      outbound: createOutbound({ allowPrivateNetwork: false, userAgent: '' }),
      smtp: undefined,
      oidc: undefined,
    },
    new AppRegistry({ baseUrl: config.baseUrl, sandbox: false, credentials: () => undefined, fileApps: [] }),
  );
  await features.stop();
  return buildGatewaySchema(features.resolvers);
}
