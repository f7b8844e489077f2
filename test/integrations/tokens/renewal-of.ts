import { LongWork } from '../../../src/platform/admission/long-work.js';
import { AppRegistry } from '../../../src/features/integrations/apps/registry.js';
import { ChangeRecorder } from '../../../src/features/integrations/changes/record-change.js';
import { OAuthProtocol } from '../../../src/features/integrations/tokens/oauth-client.js';
import { TokenRenewal } from '../../../src/features/integrations/tokens/token-renewal.js';
import { TokenRevocation } from '../../../src/features/integrations/tokens/token-revocation.js';
import { Secrets } from '../../../src/platform/encryption/secrets.js';
import { type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { type TestServer } from '../../support/server.js';
import { scriptedApps } from '../scripted-apps.js';
import { appsOf, type IntegrationWorld } from '../world.js';

/** The renewal of one process, made of the same parts as the service's own. */
export function renewalOf(server: TestServer, world: IntegrationWorld, outbound: Outbound): TokenRenewal {
  const logger = createLogger('debug', { write: (line: string) => void server.logs.push(line) });
  const { clock, db, baseUrl } = server;
  const secrets = new Secrets([Buffer.alloc(32)]);
  const fileApps = appsOf(scriptedApps(world.provider.url));
  const apps = new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps });
  const protocol = new OAuthProtocol(outbound, apps, baseUrl, new LongWork());
  const revocation = new TokenRevocation(protocol, secrets, logger, db, apps);
  const changes = new ChangeRecorder(clock);
  return new TokenRenewal({ db, clock, changes, secrets, apps, protocol, revocation, logger });
}
