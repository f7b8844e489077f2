import { fromPublicId } from '../../../src/platform/ids/ids.js';
import { until } from '../../support/until.js';
import { NoticeWorld } from '../notice-world.js';
import { IntegrationWorld } from '../world.js';

const DAY = 86_400_000;
const DAY_S = 86_400;

describe('mails about connections that broke', () => {
  let notices: NoticeWorld;
  let world: IntegrationWorld;
  beforeAll(async () => {
    notices = await NoticeWorld.open();
    world = notices.world;
  });
  beforeEach(() => notices.reset());
  afterAll(() => notices.close());

  it('go out once when a connection expires', async () => {
    await notices.connect(0.5);
    await notices.advance(DAY / 2 + 1);
    await notices.expire();
    await Promise.all([notices.sweep(), notices.sweep()]);
    await notices.sweep();
    const [mail, ...others] = await notices.mails();
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Connection “oauth_app” needs attention');
    expect(mail!.text).toContain('has expired: its access ended and could not be renewed.');
  });

  it('go out once for each refused renewal', async () => {
    const id = await notices.connect(0.5, { refresh: true });
    for (const times of [1, 2]) {
      world.provider.onToken = () => ({ status: 400, body: { error: 'invalid_grant' } });
      await notices.advance(DAY / 2 + 1);
      await notices.renewDue();
      await notices.sweep();
      await notices.sweep();
      expect(await notices.mails()).toHaveLength(times);
      expect((await notices.mails())[0]!.text).toContain(
        'the application no longer accepts its access, or refused to renew it.',
      );
      await notices.send();
      notices.grant(0.5, { refresh: true });
      const { state } = await world.restart(id);
      await world.callback({ state, code: 'alice' });
    }
  });

  it('go out once when an application no longer accepts a key', async () => {
    const { body } = await world.post('/integrations/connect', {
      type: 'key_app',
      label: 'Keyed',
      credentials: { api_key: 'good-ann-4711-key' },
    });
    world.provider.onVerify = () => ({ status: 401 });
    await world.post(`/integrations/${body.id}/test`);
    await world.post(`/integrations/${body.id}/test`);
    await notices.sweep();
    await notices.sweep();
    expect(await notices.subjects()).toEqual(['Connection “Keyed” needs attention']);
    expect((await notices.mails())[0]!.text).toContain('the application no longer accepts its API key.');
  });

  it('do not go out for actions of a person: disconnect, delete, deny', async () => {
    const [ended, gone] = [await notices.connect(30), await notices.connect(30)];
    await world.post(`/integrations/${ended}/disconnect`);
    await world.client.rest('DELETE', `/integrations/${gone}`);
    const { state } = await world.start();
    await world.callback({ state, error: 'access_denied' });
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
  });

  it('do not go out when a person reconnects before the sweep', async () => {
    const id = await notices.connect(0.5);
    await notices.advance(DAY / 2 + 1);
    await notices.expire();
    const { state } = await world.restart(id);
    await world.callback({ state, code: 'alice' });
    expect((await world.get(id)).status).toBe('connected');
    await notices.sweep();
    expect(await notices.subjects()).toEqual([]);
  });

  it.each([
    [
      'connects it again',
      async (id: string) => world.callback({ state: (await world.restart(id)).state, code: 'alice' }),
    ],
    ['disconnects it', async (id: string) => world.post(`/integrations/${id}/disconnect`)],
    ['deletes it', async (id: string) => world.client.rest('DELETE', `/integrations/${id}`)],
  ])('are taken back from the queue when a person %s', async (_, settle) => {
    const [id, other] = [await notices.connect(0.5), await notices.connect(0.5)];
    await notices.advance(DAY / 2 + 1);
    await notices.expire();
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(2);
    await settle(id);
    const left = await notices.mails();
    expect(left.map(({ key }) => key)).toEqual([expect.stringContaining(fromPublicId('int', other)!)]);
    // A mail that was sent stays in the list of mails.
    await notices.send();
    await settle(other);
    expect(await notices.mails()).toHaveLength(1);
  });

  it('do not go out once the change is deleted, and do not delay others', async () => {
    const [old, other] = [await notices.connect(0.5), await notices.connect(0.6)];
    await notices.advance(DAY);
    await notices.expire();
    const { db } = world.server;
    await db.query(`DELETE FROM integration_changes WHERE integration_id = $1`, [fromPublicId('int', old)]);
    await notices.sweep();
    expect((await notices.mails()).map(({ key }) => key)).toEqual([
      expect.stringContaining(fromPublicId('int', other)!),
    ]);
    expect(await db.query(`SELECT 1 FROM integrations WHERE unmailed_break IS NOT NULL`)).toEqual([]);
  });

  it('go out even if a person begins to reconnect and gives up', async () => {
    const id = await notices.connect(0.5);
    await notices.advance(DAY / 2 + 1);
    await notices.expire();
    const { state } = await world.restart(id);
    await world.callback({ state, error: 'access_denied' });
    await notices.sweep();
    expect(await notices.subjects()).toEqual(['Connection “oauth_app” needs attention']);
  });

  it('are queued by the service’s own jobs, and logged if there is no SMTP_URL', async () => {
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
    await until(() => logged('Connection “oauth_app” needs attention'));
    await world.close();
  });
});
