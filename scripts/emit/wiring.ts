import { Listeners } from '../../src/platform/admission/listeners.js';
import { unlimitedBytes } from '../../src/platform/admission/daily/stored-bytes.js';
import { LongWork } from '../../src/platform/admission/long-work.js';
import { TargetLimits } from '../../src/platform/admission/target-limits.js';
import { systemClock } from '../../src/platform/clock.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { createDataSource } from '../../src/platform/db/data-source.js';
import { Database } from '../../src/platform/db/database.js';
import { WriteProbe } from '../../src/platform/db/availability/write-probe.js';
import { Notifications } from '../../src/platform/notifications/notifications.js';
import { createOutbound } from '../../src/platform/http/outbound/outbound.js';
import { AppRegistry } from '../../src/features/integrations/apps/registry.js';
import { JobQueues } from '../../src/platform/jobs/job-queue.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { SCRYPT } from '../../src/platform/encryption/password-hash.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { type Features, wire } from '../../src/process/wire-features.js';

/** The real wiring on a platform without connections: nothing connects before a job or request runs. */
export async function wiredFeatures(): Promise<Features> {
  const { config } = loadConfig({});
  const logger = createLogger('silent');
  const url = 'postgres://nobody@localhost/nothing';
  const features = wire(
    {
      config,
      db: new Database(createDataSource({ url, poolSize: 1 }, [])),
      writeProbe: new WriteProbe({ url, failedAt: () => -Infinity }),
      clock: systemClock,
      tracing: undefined,
      // Two keys, because only then texts are encrypted again.
      secrets: new Secrets([Buffer.alloc(32), Buffer.alloc(32, 1)]),
      urlSecrets: [Buffer.alloc(32)],
      passwordHash: SCRYPT,
      logger,
      notifications: new Notifications(url, logger),
      queues: new JobQueues(url, [], logger, { isWorker: false }),
      listeners: new Listeners(),
      longWork: new LongWork(),
      stored: unlimitedBytes(systemClock),
      outbound: createOutbound({ allowPrivateNetwork: false, userAgent: '' }),
      targets: new TargetLimits(),
      smtp: undefined,
      siblings: undefined,
      oidc: undefined,
    },
    new AppRegistry({ baseUrl: config.baseUrl, sandbox: false, credentials: () => undefined, fileApps: [] }),
  );
  await features.stop();
  return features;
}
