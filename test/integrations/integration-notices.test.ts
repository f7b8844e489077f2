import { fromPublicId } from '../../src/platform/ids/ids.js';
import { NoticeWorld } from './notice-world.js';
import { type IntegrationWorld } from './world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAY_S = 86_400;

describe('mails about connections that expire soon', () => {
  let notices: NoticeWorld;
  let world: IntegrationWorld;
  beforeAll(async () => {
    notices = await NoticeWorld.open();
    world = notices.world;
  });
  beforeEach(() => notices.reset());
  afterAll(() => notices.close());

  it('go out once, seven days before the expiry, from any number of processes', async () => {
    const id = await notices.connect(30);
    await notices.advance(23 * DAY - 60_000);
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
    await notices.advance(60_000);
    await Promise.all([notices.sweep(), notices.sweep(), notices.sweep()]);
    await notices.advance(3 * DAY);
    await notices.sweep();
    const [mail, ...others] = await notices.mails();
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
    await notices.connect(3);
    await notices.connect(0.99);
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(1);
    await notices.connect(1);
    await notices.sweep();
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(2);
  });

  it('do not go out while a refresh token works, and do once its last use has failed', async () => {
    await notices.connect(10, { refresh: true });
    await notices.advance(4 * DAY);
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
    world.provider.onToken = () => ({ status: 500 });
    await notices.advance(4 * DAY);
    await notices.renewDue();
    await notices.sweep();
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(1);
  });

  it('do not go out after a renewal, and go out once for the new expiry', async () => {
    const id = await notices.connect(30, { refresh: true });
    await notices.advance(22 * DAY + 1);
    await notices.renewDue();
    const { expires_at: end } = await world.get(id);
    await notices.advance(7 * DAY);
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
    world.provider.onToken = () => ({ status: 500 });
    await notices.advance(22 * DAY - 7 * DAY + 1);
    await notices.renewDue();
    await notices.sweep();
    // Eight days before the end: not yet.
    expect(await notices.mails()).toEqual([]);
    await notices.advance(DAY + 1);
    await notices.sweep();
    await notices.sweep();
    expect((await notices.mails()).map(({ key }) => key)).toEqual([
      `integration-expiring ${fromPublicId('int', id)} ${end}`,
    ]);
  });

  it('go out once for each expiry when a reconnect moves it', async () => {
    const id = await notices.connect(30);
    await notices.advance(23 * DAY + 1);
    await notices.sweep();
    await notices.send();
    const { state } = await world.restart(id);
    await world.callback({ state, code: 'alice' });
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(1);
    await notices.advance(23 * DAY + 1);
    await notices.sweep();
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(2);
  });

  it('are removed from the queue when a reconnect moves the expiry', async () => {
    const id = await notices.connect(30);
    await notices.advance(23 * DAY + 1);
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(1);
    const { state } = await world.restart(id);
    await world.callback({ state, code: 'alice' });
    expect(await notices.mails()).toEqual([]);
  });

  it('go out if a renewal succeeds but does not move the expiry', async () => {
    const [stated, kept] = [
      { expires_in: 3_600, refresh_token_expires_in: 30 * DAY_S },
      { expires_in: 40 * DAY_S, refresh_token_expires_in: 30 * DAY_S },
    ];
    const ids = [
      await notices.connect(1, { refresh: true, more: stated }),
      await notices.connect(1, { refresh: true, more: kept }),
    ];
    const ends = await Promise.all(ids.map(async (id) => (await world.get(id)).expires_at as string));
    await notices.advance(22 * DAY + 1);
    world.provider.onToken = ({ form }) => {
      const answer = world.provider.issue(form);
      const left = Math.floor((Date.parse(ends[0]!) - world.server.clock.now().getTime()) / 1_000);
      Object.assign(answer.body as object, { expires_in: 40 * DAY_S, refresh_token_expires_in: left });
      return answer;
    };
    await notices.renewDue();
    for (const [index, id] of ids.entries()) {
      const moved = Date.parse((await world.get(id)).expires_at) - Date.parse(ends[index]!);
      expect(Math.abs(moved)).toBeLessThan(15_000);
    }
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
    await notices.advance(DAY + 15_000);
    await notices.sweep();
    await notices.sweep();
    expect(await notices.mails()).toHaveLength(2);
  });

  it('treat an expiry that a renewal moves by a moment as the same', async () => {
    // Some providers state the remaining life of a refresh token: the expiry moves only by rounding.
    const id = await notices.connect(1, {
      refresh: true,
      more: { expires_in: 3_600, refresh_token_expires_in: 5 * DAY_S },
    });
    const { expires_at: end } = await world.get(id);
    const fail = async () => {
      world.provider.onToken = () => ({ status: 500 });
      await notices.advance(HOUR);
      await notices.renewDue();
      await notices.sweep();
    };
    await fail();
    expect(await notices.mails()).toHaveLength(1);
    await notices.advance(HOUR);
    const left = Math.floor((Date.parse(end) - world.server.clock.now().getTime()) / 1_000) - 5;
    notices.grant(1, { refresh: true, more: { expires_in: 3_600, refresh_token_expires_in: left } });
    await notices.renewDue();
    await fail();
    expect(await notices.mails()).toHaveLength(1);
  });

  it('do not go out for an expired connection', async () => {
    const [gone, ended] = [await notices.connect(30), await notices.connect(30)];
    await world.client.rest('DELETE', `/integrations/${gone}`);
    await world.post(`/integrations/${ended}/disconnect`);
    await notices.advance(24 * DAY);
    await notices.sweep();
    expect(await notices.mails()).toEqual([]);
  });

  it('come with one event for webhooks', async () => {
    const { body } = await world.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['integration.expiring'] });
    const id = await notices.connect(3);
    await notices.sweep();
    await notices.sweep();
    const events = await world.server.db.query<{ body: string }>(
      `SELECT e.body FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id`,
    );
    expect(events.map(({ body: event }) => JSON.parse(event))).toMatchObject([
      { type: 'integration.expiring', data: { id, status: 'connected' } },
    ]);
    await world.client.rest('DELETE', `/webhooks/${body.id}`);
  });

  it('have no recipient without CONTACT_EMAIL, and are logged by the sender', async () => {
    await notices.connect(3);
    await notices.noticesOf(world.server, undefined).mailExpiring();
    expect((await notices.mails()).map(({ recipients }) => recipients)).toEqual([[]]);
  });

  it('keep a label of several lines out of the headers', async () => {
    notices.grant(3);
    const { state } = await world.start('oauth_app', { label: 'One\r\nBcc: eve@x.test' });
    await world.callback({ state, code: 'alice' });
    await notices.sweep();
    expect((await notices.subjects())[0]).toMatch(/^Connection “One Bcc: eve@x.test” expires on/);
  });
});
