import { LongWork } from '../../src/platform/admission/long-work.js';
import { AccountMail } from '../../src/features/accounts/account-mail.js';
import { createOutbound, type Outbound } from '../../src/platform/http/outbound/outbound.js';
import { AppRegistry } from '../../src/features/integrations/apps/registry.js';
import { expireIntegrations } from '../../src/features/integrations/integration.job.js';
import { IntegrationNotices, recordBreaks } from '../../src/features/integrations/notices/integration-notices.js';
import { OAuthProtocol } from '../../src/features/integrations/tokens/oauth-client.js';
import { ChangeRecorder } from '../../src/features/integrations/changes/record-change.js';
import { TokenRenewal } from '../../src/features/integrations/tokens/token-renewal.js';
import { TokenRevocation } from '../../src/features/integrations/tokens/token-revocation.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { type TestServer } from '../support/server.js';
import { scriptedApps } from './scripted-apps.js';
import { appsOf, IntegrationWorld } from './world.js';

/** A queued mail. */
export interface QueuedMail extends Record<string, unknown> {
  key: string;
  recipients: string[];
  subject: string;
  text: string;
  html: string;
}

/** Two processes without workers, whose sweeps and renewals run on demand. */
export class NoticeWorld {
  private readonly sweeps: IntegrationNotices[];
  private readonly renewal: TokenRenewal;

  private constructor(
    readonly world: IntegrationWorld,
    private readonly second: TestServer,
    private readonly outbound: Outbound,
  ) {
    this.sweeps = [world.server, second].map((server) => this.noticesOf(server, 'ops@x.test'));
    this.renewal = this.renewalOf(world.server);
  }

  static async open(): Promise<NoticeWorld> {
    const world = await IntegrationWorld.open({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
    const second = await world.another({ ROLES: 'api' });
    return new NoticeWorld(world, second, createOutbound({ allowPrivateNetwork: true, userAgent: 'test' }));
  }

  async reset(): Promise<void> {
    this.world.provider.reset();
    for (const table of ['mails', 'integrations', 'workflows']) {
      await this.world.server.db.query(`DELETE FROM ${table}`);
    }
  }

  async close(): Promise<void> {
    await this.outbound.close();
    await this.second.close();
    await this.world.close();
  }

  /** All sweeps of both processes at once. */
  async sweep(): Promise<void> {
    await Promise.all(this.sweeps.flatMap((notices) => [notices.mailExpiring(), notices.mailBroken()]));
  }

  async expire(): Promise<void> {
    const { db, clock } = this.world.server;
    await expireIntegrations({ db, changes: new ChangeRecorder(clock, [recordBreaks]) });
  }

  async renewDue(): Promise<void> {
    while ((await this.renewal.renewDue(10)) > 0);
  }

  async advance(milliseconds: number): Promise<void> {
    await this.world.server.advance(milliseconds);
  }

  mails(): Promise<QueuedMail[]> {
    return this.world.server.db.query<QueuedMail>('SELECT * FROM mails ORDER BY id');
  }

  /** Marks all queued mails as sent. */
  async send(): Promise<void> {
    await this.world.server.db.query(`UPDATE mails SET status = 'sent', next_attempt_at = NULL`);
  }

  async subjects(): Promise<string[]> {
    return (await this.mails()).map(({ subject }) => subject);
  }

  /** Connects with a token of that many days, and a refresh token only on request. */
  async connect(days: number, { refresh = false, more = {} } = {}): Promise<string> {
    this.grant(days, { refresh, more });
    return this.world.connected();
  }

  /** Sets what the provider grants from now on. */
  grant(days: number, { refresh = false, more = {} } = {}): void {
    const { provider } = this.world;
    provider.extra = { expires_in: days * 86_400, ...more };
    provider.onToken = ({ form }) => {
      const answer = provider.issue(form);
      if (!refresh) delete (answer.body as Record<string, unknown>).refresh_token;
      return answer;
    };
  }

  /** The notices of one process, made of the same parts as the service's own. */
  noticesOf(server: TestServer, contact: string | undefined): IntegrationNotices {
    const { db, clock, baseUrl } = server;
    const apps = this.registryOf(server);
    const mail = new AccountMail(new MailQueue(clock), contact);
    return new IntegrationNotices({ db, clock, apps, baseUrl, mail });
  }

  private renewalOf(server: TestServer): TokenRenewal {
    const logger = createLogger('debug', { write: (line: string) => void server.logs.push(line) });
    const { clock, db, baseUrl } = server;
    const [secrets, apps] = [new Secrets([Buffer.alloc(32)]), this.registryOf(server)];
    const protocol = new OAuthProtocol(this.outbound, apps, baseUrl, new LongWork());
    const revocation = new TokenRevocation(protocol, secrets, logger, db, apps);
    const changes = new ChangeRecorder(clock, [recordBreaks]);
    return new TokenRenewal({ db, clock, changes, secrets, apps, protocol, revocation, logger });
  }

  private registryOf({ baseUrl }: TestServer): AppRegistry {
    const fileApps = appsOf(scriptedApps(this.world.provider.url));
    return new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps });
  }
}
