import { LongWork } from '../../../src/platform/admission/long-work.js';
import { TargetLimits } from '../../../src/platform/admission/target-limits.js';
import { type Database } from '../../../src/platform/db/database.js';
import { type Outbound } from '../../../src/platform/http/outbound/outbound.js';
import { AuthorizationFlows } from '../../../src/features/integrations/connect/authorization-flow.js';
import { AppRegistry } from '../../../src/features/integrations/apps/registry.js';
import { OAuthProtocol } from '../../../src/features/integrations/tokens/oauth-client.js';
import { ChangeRecorder } from '../../../src/features/integrations/changes/record-change.js';
import { AppAccess } from '../../../src/features/integrations/tokens/app-access.js';
import { Connections } from '../../../src/features/integrations/tokens/connections.js';
import { CallBudget } from '../../../src/features/integrations/tokens/call-budget.js';
import { DeadConnections } from '../../../src/features/integrations/tokens/dead-connections.js';
import { Probe } from '../../../src/features/integrations/tokens/probe.js';
import { TokenRenewal } from '../../../src/features/integrations/tokens/token-renewal.js';
import { TokenRevocation } from '../../../src/features/integrations/tokens/token-revocation.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { Secrets } from '../../../src/platform/encryption/secrets.js';
import { scriptedApps } from '../../integrations/scripted-apps.js';
import { appsOf } from '../../integrations/world.js';
import { type TestServer } from '../../support/server.js';

/**
 * The renewal and the calls of one process, from the service's own parts, which can be stopped right before they claim, when
 * they have read how things stand: as the scheduler of a busy machine may stop them.
 */
export class PausingProcess {
  /** The claim waits at this gate. */
  gate: Promise<void> | undefined;
  /** Claims that have reached the gate. */
  arrived = 0;
  readonly renewal: TokenRenewal;
  readonly access: AppAccess;
  readonly flows: AuthorizationFlows;

  constructor(
    { clock, baseUrl, db, logs }: TestServer,
    providerUrl: string,
    outbound: Outbound,
    keys = [Buffer.alloc(32)],
  ) {
    const logger = createLogger('debug', { write: (line: string) => void logs.push(line) });
    const secrets = new Secrets(keys);
    const fileApps = appsOf(scriptedApps(providerUrl));
    const apps = new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps });
    const protocol = new OAuthProtocol(outbound, apps, baseUrl, new LongWork());
    const revocation = new TokenRevocation(protocol, secrets, logger, db, apps);
    const changes = new ChangeRecorder(clock);
    this.flows = new AuthorizationFlows(secrets, clock, changes, protocol, baseUrl);
    const pausing = this.pausing(db);
    this.renewal = new TokenRenewal({
      db: pausing,
      clock,
      changes,
      secrets,
      apps,
      protocol,
      revocation,
      logger,
    });
    const budget = new CallBudget(db, clock, logger);
    this.access = new AppAccess({
      connections: new Connections({ db, secrets, apps, renewal: this.renewal }),
      dead: new DeadConnections({
        db: pausing,
        changes,
        secrets,
        probe: new Probe(outbound, budget, new LongWork()),
        logger,
      }),
      budget,
      targets: new TargetLimits(),
      offersType: apps.offersType,
    });
  }

  reset(): void {
    this.gate = undefined;
    this.arrived = 0;
  }

  private pausing(real: Database): Database {
    const query = async (text: string, values: unknown[]): Promise<object[]> => {
      if (text.includes('SET renewal_id = $2') || text.includes('SET probed_at')) {
        this.arrived += 1;
        await this.gate;
      }
      return real.query(text, values);
    };
    return new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return name === 'query' ? query : typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}
