import { fromPublicId } from '../../src/platform/ids/ids.js';
import { NoticeWorld } from './notice-world.js';
import { type IntegrationWorld } from './world.js';

describe('mails about connections name the workflows that depend on them', () => {
  let notices: NoticeWorld;
  let world: IntegrationWorld;
  beforeAll(async () => {
    notices = await NoticeWorld.open();
    world = notices.world;
  });
  beforeEach(() => notices.reset());
  afterAll(() => notices.close());

  const workflow = async (name: string, { integration = '', status = 'active', kind = 'app_request' } = {}) => {
    const { body } = await world.post('/workflows', { name });
    const config = kind === 'app_request' ? { integration_id: integration, method: 'GET', path: '/x' } : { seconds: 1 };
    const actions = [{ name: 'a', kind, config }];
    await world.client.rest('PUT', `/workflows/${body.id}/actions`, { body: { actions } });
    await world.client.rest('PUT', `/workflows/${body.id}`, { body: { status } });
    return body.id as string;
  };

  it('by their current actions, active workflows first, with markup as plain text', async () => {
    const id = await notices.connect(3);
    const other = await notices.connect(30);
    const paused = await workflow('A & <i>paused</i>', { integration: id, status: 'paused' });
    const active = await workflow('"Zed"\n<script>', { integration: id });
    await workflow('Archived', { integration: id, status: 'archived' });
    await workflow('Elsewhere', { integration: other });
    await workflow('Idle', { kind: 'delay' });
    const changed = await workflow('Changed', { integration: id });
    await world.client.rest('PUT', `/workflows/${changed}/actions`, { body: { actions: [] } });
    await notices.sweep();
    const [mail] = await notices.mails();
    expect(mail!.text).toContain(
      `2 workflows depend on it:\n\n  - "Zed" <script> (${active})\n  - A & <i>paused</i> (${paused}, paused)\n\n`,
    );
    expect(mail!.html).toContain(`<li>&quot;Zed&quot; &lt;script&gt; (${active})</li>`);
    expect(mail!.html).not.toMatch(/<script|<i>/);
  });

  it('with the hint that others may use it by its reference', async () => {
    const id = await notices.connect(3);
    await world.client.rest('PUT', `/integrations/${id}`, { body: { reference: 'customer-42' } });
    const send = async () => {
      await world.server.db.query('UPDATE integrations SET notice_at = $2 WHERE id = $1', [
        fromPublicId('int', id),
        world.server.clock.now(),
      ]);
      await world.server.db.query('DELETE FROM mails');
      await notices.sweep();
      return (await notices.mails())[0]!.text;
    };
    const hint = 'Workflows may still use it by its type and reference.';
    expect(await send()).toContain(`No workflow names it.\n\n${hint}\n\n`);
    const named = await workflow('Named', { integration: id });
    expect(await send()).toContain(`One workflow depends on it:\n\n  - Named (${named})\n\n${hint}\n\n`);
  });

  it('at most twenty, and the number of others', async () => {
    const id = await notices.connect(3);
    for (let number = 1; number <= 22; number += 1) {
      await workflow(`Flow ${String(number).padStart(2, '0')}`, { integration: id });
    }
    await notices.sweep();
    const [mail] = await notices.mails();
    expect(mail!.text).toContain('22 workflows depend on it:');
    expect(mail!.text.match(/ {2}- Flow/g)).toHaveLength(20);
    expect(mail!.text).toContain('  - and 2 more');
  });

  it('by their triggers: those that name it, and those without another connection', async () => {
    notices.grant(30);
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
      await notices.sweep();
      return (await notices.mails())[0]!.text.split('\n').filter((line) => line.startsWith('  - '));
    };
    expect(await listedFor(one)).toEqual([any, named]);
    const { id: two, state: later } = await world.start('eventful_app');
    await world.callback({ state: later, code: 'bob' }, { type: 'eventful_app' });
    expect([await listedFor(one), await listedFor(two)]).toEqual([[named], []]);
  });
});
