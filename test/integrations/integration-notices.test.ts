import { AccountMail } from '../../src/accounts/account-mail.js';
import { createOutbound, type Outbound } from '../../src/http/outbound.js';
import { fromPublicId } from '../../src/ids.js';
import { AppRegistry } from '../../src/integrations/apps/registry.js';
import { expireIntegrations } from '../../src/integrations/integration.jobs.js';
import { IntegrationNotices, noteBreaks } from '../../src/integrations/integration-notices.js';
import { OAuthProtocol } from '../../src/integrations/oauth-client.js';
import { ChangeRecorder } from '../../src/integrations/record-change.js';
import { TokenRenewal } from '../../src/integrations/token-renewal.js';
import { TokenRevocation } from '../../src/integrations/token-revocation.js';
import { createLogger } from '../../src/logger.js';
import { MailQueue } from '../../src/mail/mail-queue.js';
import { Secrets } from '../../src/secrets.js';
import { type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { scriptedApps } from './scripted-apps.js';
import { appsOf, IntegrationWorld } from './world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAY_S = 86_400;

interface Row {
  key: string;
  recipients: string[];
  subject: string;
  text: string;
  html: string;
}

describe('mails about connections', () => {
  let world: IntegrationWorld;
  let second: TestServer;
  let outbound: Outbound;
  let sweeps: IntegrationNotices[];
  let renewal: TokenRenewal;

  beforeAll(async () => {
    world = await IntegrationWorld.open({ env: { ROLES: 'api', ALLOW_PRIVATE_NETWORK: 'true' } });
    second = await world.another({ ROLES: 'api' });
    outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'test' });
    sweeps = [world.server, second].map((server) => noticesOf(server, 'ops@x.test'));
    renewal = renewalOf(world.server);
  });
  beforeEach(async () => {
    world.provider.reset();
    for (const table of ['mails', 'integrations', 'workflows']) await world.server.db.query(`DELETE FROM ${table}`);
  });
  afterAll(async () => {
    await outbound.close();
    await second.close();
    await world.close();
  });

  function registryOf({ baseUrl }: TestServer): AppRegistry {
    const fileApps = appsOf(scriptedApps(world.provider.url));
    return new AppRegistry({ baseUrl, sandbox: true, credentials: () => undefined, fileApps });
  }

  /** What one process sweeps by, from the same parts as the service's own. */
  function noticesOf(server: TestServer, contact: string | undefined): IntegrationNotices {
    const { db, clock, baseUrl } = server;
    const apps = registryOf(server);
    const offers = {
      eventsOf: (type: string) => apps.get(type)?.events ?? [],
      typesOffering: (event: string) => apps.offering(event).map(({ type }) => type),
    };
    return new IntegrationNotices({
      db,
      clock,
      apps,
      offers,
      baseUrl,
      mail: new AccountMail(new MailQueue(clock), contact),
    });
  }

  function renewalOf(server: TestServer): TokenRenewal {
    const logger = createLogger('debug', { write: (line: string) => void server.logs.push(line) });
    const { clock, db, baseUrl } = server;
    const [secrets, apps] = [new Secrets([Buffer.alloc(32)]), registryOf(server)];
    const protocol = new OAuthProtocol(outbound, apps, baseUrl);
    const revocation = new TokenRevocation(protocol, secrets, logger);
    const changes = new ChangeRecorder(clock, [noteBreaks]);
    return new TokenRenewal({ db, clock, changes, secrets, apps, protocol, revocation, logger });
  }

  /** All sweeps of both processes at once. */
  async function sweep(): Promise<void> {
    await Promise.all(sweeps.flatMap((notices) => [notices.mailExpiring(), notices.mailBroken()]));
  }

  async function expire(): Promise<void> {
    const { db, clock } = world.server;
    await expireIntegrations({ db, clock, changes: new ChangeRecorder(clock, [noteBreaks]) } as never);
  }

  const mails = () => world.server.db.query<Row & Record<string, unknown>>('SELECT * FROM mails ORDER BY id');
  const subjects = async () => (await mails()).map(({ subject }) => subject);
  const advance = (milliseconds: number) => world.server.advance(milliseconds);

  /** Connects by a token of so many days, and a refresh token only when asked for. */
  async function connect(days: number, { refresh = false, more = {} } = {}): Promise<string> {
    grant(days, { refresh, more });
    return world.connected();
  }

  function grant(days: number, { refresh = false, more = {} } = {}): void {
    world.provider.extra = { expires_in: days * DAY_S, ...more };
    world.provider.onToken = ({ form }) => {
      const answer = world.provider.issue(form);
      if (!refresh) delete (answer.body as Record<string, unknown>).refresh_token;
      return answer;
    };
  }

  async function renewDue(): Promise<void> {
    while ((await renewal.renewDue(10)) > 0);
  }

  describe('that end soon', () => {
    it('go out once, seven days before the end, however many processes look', async () => {
      const id = await connect(30);
      await advance(23 * DAY - 60_000);
      await sweep();
      expect(await mails()).toEqual([]);
      await advance(60_000);
      await Promise.all([sweep(), sweep(), sweep()]);
      await advance(3 * DAY);
      await sweep();
      const [mail, ...others] = await mails();
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ recipients: ['ops@x.test'], status: 'queued' });
      expect(mail!.subject).toMatch(/^Connection “oauth_app” expires on \d+ \w+ 20\d\d$/);
      const { baseUrl } = world.server;
      expect(mail!.text).toContain(`(The oauth_app, ${id}, connected as N) of the account “default” expires on`);
      expect(mail!.text).toContain(`POST ${baseUrl}/v1/integrations/${id}/reconnect`);
      expect(mail!.text).toContain('No workflow depends on it.');
      expect(mail!.html).toContain(`<a href="${baseUrl}/">`);
    });

    it('go out at once for a token of less than seven days, never for one of less than a day', async () => {
      await connect(3);
      await connect(0.99);
      await sweep();
      expect(await mails()).toHaveLength(1);
      await connect(1);
      await sweep();
      await sweep();
      expect(await mails()).toHaveLength(2);
    });

    it('do not go out while a refresh token works, and do once its last use has failed', async () => {
      await connect(10, { refresh: true });
      await advance(4 * DAY);
      await sweep();
      expect(await mails()).toEqual([]);
      world.provider.onToken = () => ({ status: 500 });
      await advance(4 * DAY);
      await renewDue();
      await sweep();
      await sweep();
      expect(await mails()).toHaveLength(1);
    });

    it('do not go out for what was renewed by then, and go out for the new end, once', async () => {
      const id = await connect(30, { refresh: true });
      await advance(22 * DAY + 1);
      await renewDue();
      const { expires_at: end } = await world.get(id);
      await advance(7 * DAY);
      await sweep();
      expect(await mails()).toEqual([]);
      world.provider.onToken = () => ({ status: 500 });
      await advance(22 * DAY - 7 * DAY + 1);
      await renewDue();
      await sweep();
      // Eight days before the end: not yet.
      expect(await mails()).toEqual([]);
      await advance(DAY + 1);
      await sweep();
      await sweep();
      expect((await mails()).map(({ key }) => key)).toEqual([`integration-expiring ${fromPublicId('int', id)} ${end}`]);
    });

    it('go out for each end once when a reconnect moves it', async () => {
      const id = await connect(30);
      await advance(23 * DAY + 1);
      await sweep();
      const { state } = await world.restart(id);
      await world.callback({ state, code: 'alice' });
      await sweep();
      expect(await mails()).toHaveLength(1);
      await advance(23 * DAY + 1);
      await sweep();
      await sweep();
      expect(await mails()).toHaveLength(2);
    });

    it('go out where a renewal works and leaves the end where it was', async () => {
      const [stated, kept] = [
        { expires_in: 3_600, refresh_token_expires_in: 30 * DAY_S },
        { expires_in: 40 * DAY_S, refresh_token_expires_in: 30 * DAY_S },
      ];
      const ids = [await connect(1, { refresh: true, more: stated }), await connect(1, { refresh: true, more: kept })];
      const ends = await Promise.all(ids.map(async (id) => (await world.get(id)).expires_at as string));
      await advance(22 * DAY + 1);
      world.provider.onToken = ({ form }) => {
        const answer = world.provider.issue(form);
        const left = Math.floor((Date.parse(ends[0]!) - world.server.clock.now().getTime()) / 1_000);
        Object.assign(answer.body as object, { expires_in: 40 * DAY_S, refresh_token_expires_in: left });
        return answer;
      };
      await renewDue();
      for (const [index, id] of ids.entries()) {
        const moved = Date.parse((await world.get(id)).expires_at) - Date.parse(ends[index]!);
        expect(Math.abs(moved)).toBeLessThan(15_000);
      }
      await sweep();
      expect(await mails()).toEqual([]);
      await advance(DAY + 15_000);
      await sweep();
      await sweep();
      expect(await mails()).toHaveLength(2);
    });

    it('take an end that a renewal states anew, a moment later, for the same', async () => {
      // Providers that state how long a refresh token still lives: the end never moves, but for rounding.
      const id = await connect(1, { refresh: true, more: { expires_in: 3_600, refresh_token_expires_in: 5 * DAY_S } });
      const { expires_at: end } = await world.get(id);
      const fail = async () => {
        world.provider.onToken = () => ({ status: 500 });
        await advance(HOUR);
        await renewDue();
        await sweep();
      };
      await fail();
      expect(await mails()).toHaveLength(1);
      await advance(HOUR);
      const left = Math.floor((Date.parse(end) - world.server.clock.now().getTime()) / 1_000) - 5;
      grant(1, { refresh: true, more: { expires_in: 3_600, refresh_token_expires_in: left } });
      await renewDue();
      await fail();
      expect(await mails()).toHaveLength(1);
    });

    it('do not go out for what has ended before', async () => {
      const [gone, ended] = [await connect(30), await connect(30)];
      await world.client.rest('DELETE', `/integrations/${gone}`);
      await world.post(`/integrations/${ended}/disconnect`);
      await advance(24 * DAY);
      await sweep();
      expect(await mails()).toEqual([]);
    });

    it('come with one event for webhooks', async () => {
      const { body } = await world.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['integration.expiring'] });
      const id = await connect(3);
      await sweep();
      await sweep();
      const events = await world.server.db.query<{ body: string }>(
        `SELECT e.body FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id`,
      );
      expect(events.map(({ body: event }) => JSON.parse(event))).toMatchObject([
        { type: 'integration.expiring', data: { id, status: 'connected' } },
      ]);
      await world.client.rest('DELETE', `/webhooks/${body.id}`);
    });

    it('go to nobody where the operator names nobody, for the sender to log', async () => {
      await connect(3);
      await noticesOf(world.server, undefined).mailExpiring();
      expect((await mails()).map(({ recipients }) => recipients)).toEqual([[]]);
    });
  });

  describe('that broke', () => {
    it('go out once when a connection expires', async () => {
      await connect(0.5);
      await advance(DAY / 2 + 1);
      await expire();
      await Promise.all([sweep(), sweep()]);
      await sweep();
      const [mail, ...others] = await mails();
      expect(others).toEqual([]);
      expect(mail!.subject).toBe('Connection “oauth_app” is broken');
      expect(mail!.text).toContain('has expired: its access ended, and nothing could renew it.');
    });

    it('go out once when a renewal is refused, and again when that happens again', async () => {
      const id = await connect(0.5, { refresh: true });
      for (const times of [1, 2]) {
        world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
        await advance(DAY / 2 + 1);
        await renewDue();
        await sweep();
        await sweep();
        expect(await mails()).toHaveLength(times);
        expect((await mails())[0]!.text).toContain('the application refused to renew its access');
        grant(0.5, { refresh: true });
        const { state } = await world.restart(id);
        await world.callback({ state, code: 'alice' });
      }
    });

    it('go out once when an application no longer takes a key', async () => {
      const { body } = await world.post('/integrations/connect', {
        type: 'key_app',
        label: 'Keyed',
        credentials: { api_key: 'good-ann-4711-key' },
      });
      world.provider.onVerify = () => ({ status: 401 });
      await world.post(`/integrations/${body.id}/test`);
      await world.post(`/integrations/${body.id}/test`);
      await sweep();
      await sweep();
      expect(await subjects()).toEqual(['Connection “Keyed” is broken']);
      expect((await mails())[0]!.text).toContain('the application no longer takes its API key.');
    });

    it('do not go out for what people did: disconnect, delete, deny', async () => {
      const [ended, gone] = [await connect(30), await connect(30)];
      await world.post(`/integrations/${ended}/disconnect`);
      await world.client.rest('DELETE', `/integrations/${gone}`);
      const { state } = await world.start();
      await world.callback({ state, error: 'access_denied' });
      await sweep();
      expect(await mails()).toEqual([]);
    });

    it('go out although a person connects it again before the sweep', async () => {
      const id = await connect(0.5);
      await advance(DAY / 2 + 1);
      await expire();
      const { state } = await world.restart(id);
      await world.callback({ state, code: 'alice' });
      expect((await world.get(id)).status).toBe('connected');
      await sweep();
      expect(await subjects()).toEqual(['Connection “oauth_app” is broken']);
    });
  });

  describe('name the workflows that depend on it', () => {
    const workflow = async (name: string, { integration = '', status = 'active', kind = 'app_request' } = {}) => {
      const { body } = await world.post('/workflows', { name });
      const config =
        kind === 'app_request' ? { integration_id: integration, method: 'GET', path: '/x' } : { seconds: 1 };
      const actions = [{ name: 'a', kind, config }];
      await world.client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
      await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status } });
      return body.id as string;
    };

    it('by their actions of now, active ones first, with what may look like markup as text', async () => {
      const id = await connect(3);
      const other = await connect(30);
      const paused = await workflow('A & <i>paused</i>', { integration: id, status: 'paused' });
      const active = await workflow('"Zed"\n<script>', { integration: id });
      await workflow('Archived', { integration: id, status: 'archived' });
      await workflow('Elsewhere', { integration: other });
      await workflow('Idle', { kind: 'delay' });
      const changed = await workflow('Changed', { integration: id });
      await world.client.rest('PUT', `/workflows/${changed}/actions`, { body: { actions: [] } });
      await sweep();
      const [mail] = await mails();
      expect(mail!.text).toContain(
        `2 workflows depend on it:\n\n  - "Zed" <script> (${active})\n  - A & <i>paused</i> (${paused}, paused)\n\n`,
      );
      expect(mail!.html).toContain(`<li>&quot;Zed&quot; &lt;script&gt; (${active})</li>`);
      expect(mail!.html).not.toMatch(/<script|<i>/);
    });

    it('twenty of them, and how many more', async () => {
      const id = await connect(3);
      for (let number = 1; number <= 22; number += 1) {
        await workflow(`Flow ${String(number).padStart(2, '0')}`, { integration: id });
      }
      await sweep();
      const [mail] = await mails();
      expect(mail!.text).toContain('22 workflows depend on it:');
      expect(mail!.text.match(/ {2}- Flow/g)).toHaveLength(20);
      expect(mail!.text).toContain('  - and 2 more');
    });

    it('by their triggers: those that name it, and those that no other connection serves', async () => {
      grant(30);
      const { id: one, state: first } = await world.start('eventful_app');
      await world.callback({ state: first, code: 'ann' }, { type: 'eventful_app' });
      const triggered = async (name: string, config: object): Promise<string> => {
        const { body } = await world.post('/workflows', { name, status: 'active' });
        const trigger = await world.post('/triggers', { workflow_id: body.id, type: 'app_event', config });
        expect(trigger.status).toBe(201);
        return `  - ${name} (${body.id})`;
      };
      const named = await triggered('Named', { event: 'item.made', integration_id: one });
      const any = await triggered('Any', { event: 'item.made' });
      const listedFor = async (id: string) => {
        await world.server.db.query('UPDATE integrations SET notice_at = $2 WHERE id = $1', [
          fromPublicId('int', id),
          world.server.clock.now(),
        ]);
        await world.server.db.query('DELETE FROM mails');
        await sweep();
        return (await mails())[0]!.text.split('\n').filter((line) => line.startsWith('  - '));
      };
      expect(await listedFor(one)).toEqual([any, named]);
      const { id: two, state: later } = await world.start('eventful_app');
      await world.callback({ state: later, code: 'bob' }, { type: 'eventful_app' });
      expect([await listedFor(one), await listedFor(two)]).toEqual([[named], []]);
    });
  });

  it('keep a label of several lines out of the headers', async () => {
    grant(3);
    const { state } = await world.start('oauth_app', { label: 'One\r\nBcc: eve@x.test' });
    await world.callback({ state, code: 'alice' });
    await sweep();
    expect((await subjects())[0]).toMatch(/^Connection “One Bcc: eve@x.test” expires on/);
  });
});

describe('the worker', () => {
  it('mails by itself that a connection ends and that it broke, to the log where there is no SMTP_URL', async () => {
    const world = await IntegrationWorld.open({ env: { CONTACT_EMAIL: 'ops@x.test' } });
    world.provider.onToken = ({ form }) => {
      const answer = world.provider.issue(form);
      delete (answer.body as Record<string, unknown>).refresh_token;
      return answer;
    };
    world.provider.extra = { expires_in: 3 * DAY_S };
    await world.connected();
    const logged = (subject: string) => world.server.logs.some((line) => line.includes(subject));
    await until(() => logged('Connection “oauth_app” expires on'));
    await world.server.advance(3 * DAY + 1);
    await until(() => logged('Connection “oauth_app” is broken'), 20_000);
    await world.close();
  });
});
