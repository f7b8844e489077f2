import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeOf, toPublicId } from '../../src/platform/ids/ids.js';
import { BASE_URL, TriggerWorld, uuidIn } from '../support/worlds/trigger-world.js';
import { until } from '../support/until.js';

let world: TriggerWorld;
beforeAll(async () => {
  world = await TriggerWorld.open();
});
afterAll(() => world.close());

describe('a new trigger', () => {
  it('is active, names its workflow and was made when its id was', async () => {
    const workflow = await world.workflow();
    const trigger = await world.trigger({ workflowId: workflow.id, type: 'manual' });
    expect(trigger).toMatchObject({ status: 'active', workflowId: workflow.id, type: 'manual', webhookUrl: null });
    expect(trigger.id).toMatch(/^trg_[0-9a-z]{26}$/);
    // Not before: ids ascend, so that of an earlier test file may be later by milliseconds.
    expect(trigger.createdAt).toEqual(timeOf(uuidIn('trg', trigger.id)));
    expect(trigger.createdAt.getTime()).toBeGreaterThanOrEqual(world.clock.now().getTime());
  });

  it('gives its config back as it was sent, unknown keys and order included', async () => {
    const config = JSON.parse(
      '{"zeta":1,"cron":"0 9 * * *","__proto__":{"x":[1,{"b":2,"a":null}]},"secret":{"k":"v"},"alpha":""}',
    ) as Record<string, unknown>;
    const trigger = await world.trigger({ type: 'schedule', config });
    expect(JSON.stringify(trigger.config)).toBe(JSON.stringify(config));
    const read = await world.triggers.get(world.context, trigger.id);
    expect(JSON.stringify(read.config)).toBe(JSON.stringify(config));
  });

  it.each([undefined, null])('has an empty config when %s is sent', async (config) => {
    expect((await world.trigger({ type: 'manual', config })).config).toEqual({});
  });

  it('keeps neither its secret nor its token in the clear', async () => {
    const trigger = await world.trigger({ config: { secret: 'whisper' } });
    const token = trigger.webhookUrl!.slice(`${BASE_URL}/hooks/`.length);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const [row] = await world.db.query('SELECT t::text AS text FROM triggers t WHERE id = $1', [trigger.uuid]);
    expect(row!.text).not.toContain('whisper');
    expect(row!.text).not.toContain(token);
    expect(trigger.config).toEqual({ secret: 'whisper' });
  });

  it.each(['nul\0', 'lone \ud800'])('refuses texts that cannot be stored: %j', async (text) => {
    await expect(world.trigger({ type: 'manual', config: { a: { b: [text] } } })).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: 'config.a.b.0' }],
    });
    await expect(world.trigger({ type: 'manual', config: { [text]: 1 } })).rejects.toMatchObject({
      details: [{ field: 'config' }],
    });
  });

  it('needs a workflow of the account', async () => {
    const foreign = await world.workflow('active', world.stranger);
    await expect(world.trigger({ workflowId: foreign.id })).rejects.toMatchObject({ code: 'unauthorized' });
    for (const workflowId of ['wf_nonsense', 'wf_01h455vb4pex5vsknk084sn02q', foreign.id.replace('wf', 'trg')])
      await expect(world.trigger({ workflowId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is the hundredth at most, also when many are made at once', async () => {
    const workflow = await world.workflow();
    const made = await Promise.allSettled(
      Array.from({ length: 104 }, () => world.trigger({ workflowId: workflow.id, type: 'manual' })),
    );
    const refused = made.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(4);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'validation_error', details: [{ field: 'workflowId' }] });
  });

  it('is refused as unknown while its workflow is being deleted', async () => {
    const workflow = await world.workflow();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 8 }, () => world.trigger({ workflowId: workflow.id, type: 'manual' })),
      world.workflows.delete(world.context, workflow.id),
      ...Array.from({ length: 8 }, () => world.trigger({ workflowId: workflow.id, type: 'manual' })),
    ]);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set(['not_found']));
    expect(
      await world.triggers.list(world.context, { workflowId: workflow.id }, { page: 1, perPage: 5 }),
    ).toMatchObject({
      items: [],
      meta: { total: 0 },
    });
  });
});

describe('a list of triggers', () => {
  it('is newest first, filtered by workflow and type, and counted', async () => {
    const workflowId = (await world.workflow()).id;
    const first = await world.trigger({ workflowId, type: 'webhook' });
    const second = await world.trigger({ workflowId, type: 'manual' });
    const third = await world.trigger({ workflowId, type: 'webhook' });
    const ids = async (args: object) => {
      const { items, meta } = await world.triggers.list(world.context, args, { page: 1, perPage: 20, ...args });
      return { ids: items.map(({ id }) => id), total: meta.total };
    };
    expect(await ids({ workflowId })).toEqual({ ids: [third.id, second.id, first.id], total: 3 });
    expect(await ids({ workflowId, type: 'webhook' })).toEqual({ ids: [third.id, first.id], total: 2 });
    expect(await ids({ workflowId, page: 2, perPage: 2 })).toEqual({ ids: [first.id], total: 3 });
    expect(await ids({ workflowId, page: 9 })).toEqual({ ids: [], total: 3 });
    expect((await ids({ type: 'manual' })).ids[0]).toBe(second.id);
  });

  it('matches nothing for a foreign, unknown or ill-formed workflow', async () => {
    const foreign = await world.trigger({}, world.stranger);
    for (const workflowId of [foreign.workflowId, 'wf_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      const page = await world.triggers.list(world.context, { workflowId }, { page: 1, perPage: 20 });
      expect(page).toMatchObject({ items: [], meta: { total: 0, next: null } });
    }
  });
});

describe('getting and deleting a trigger', () => {
  it.each(['get', 'delete'] as const)('%s tells foreign from unknown', async (verb) => {
    const foreign = await world.trigger({}, world.stranger);
    await expect(world.triggers[verb](world.context, foreign.id)).rejects.toMatchObject({ code: 'unauthorized' });
    for (const id of ['trg_nonsense', 'trg_01h455vb4pex5vsknk084sn02q', foreign.workflowId])
      await expect(world.triggers[verb](world.context, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves nothing after the deletion', async () => {
    const trigger = await world.trigger();
    expect(await world.triggers.delete(world.context, trigger.id)).toBe(trigger.id);
    await expect(world.triggers.get(world.context, trigger.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('updating a trigger', () => {
  it('keeps the inbound address when the config changes', async () => {
    const trigger = await world.trigger({ config: { secret: 'old' } });
    const changed = await world.triggers.update(world.context, trigger.id, { config: { secret: 'new', note: 1 } });
    expect(changed).toMatchObject({
      webhookUrl: trigger.webhookUrl,
      config: { secret: 'new', note: 1 },
      status: 'active',
    });
    expect(await world.triggers.get(world.context, trigger.id)).toEqual(changed);
  });

  it('changes nothing when nothing is given', async () => {
    const trigger = await world.trigger({ config: { secret: 's' } });
    expect(await world.triggers.update(world.context, trigger.id, {})).toEqual(trigger);
  });

  it('validates a new config like a new trigger, and keeps the old one when it is refused', async () => {
    const trigger = await world.trigger({ type: 'schedule', config: { cron: '0 9 * * *' } });
    await expect(
      world.triggers.update(world.context, trigger.id, { config: { cron: '0 0 32 * *' } }),
    ).rejects.toMatchObject({ details: [{ field: 'config.cron' }] });
    expect(await world.triggers.get(world.context, trigger.id)).toEqual(trigger);
  });

  it('tells foreign from unknown', async () => {
    const foreign = await world.trigger({}, world.stranger);
    const update = (id: string) => world.triggers.update(world.context, id, { status: 'paused' });
    await expect(update(foreign.id)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(update('trg_01h455vb4pex5vsknk084sn02q')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['status: ERROR', 'status'],
    ['status: null', 'status'],
    ['config: null', 'config'],
  ])('refuses { %s } in GraphQL', async (input, field) => {
    const trigger = await world.trigger();
    const asked = world.ask(`mutation { updateTrigger(id: "${trigger.id}", input: { ${input} }) { id } }`);
    await expect(asked).rejects.toMatchObject({ code: 'validation_error', details: [{ field }] });
  });

  it('keeps a concurrent change', async () => {
    const trigger = await world.trigger({ type: 'manual', config: { a: 1 } });
    let pausing: Promise<unknown> | undefined;
    await world.db.transaction(async (tx) => {
      await tx.query(`SELECT 1 FROM workflows WHERE id = $1 FOR NO KEY UPDATE`, [trigger.workflowUuid]);
      pausing = world.triggers.update(world.context, trigger.id, { status: 'paused' });
      const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await world.db.query(waits)).length > 0);
      await tx.query(`UPDATE triggers SET config = '{"a":2}' WHERE id = $1`, [trigger.uuid]);
    });
    expect(await pausing).toMatchObject({ status: 'paused', config: { a: 2 } });
  });
});

describe('a schedule in words', () => {
  it('is read from its cron, and absent from other types', async () => {
    const schedule = await world.trigger({ type: 'schedule', config: { cron: '0 9 * * 1-5', timezone: 'Asia/Tokyo' } });
    const other = await world.trigger({ type: 'manual' });
    const words = (id: string) => world.ask<any>('query ($id: ID!) { trigger(id: $id) { scheduleInWords } }', { id });
    expect((await words(schedule.id)).trigger.scheduleInWords).toBe('At 09:00, Monday through Friday');
    expect((await words(other.id)).trigger.scheduleInWords).toBeNull();
  });
});

describe('the next tick of a schedule', () => {
  const at = (time: string) => new Date(`2026-11-${time}:00.000Z`);

  it('is shown only while the trigger and its workflow are active', async () => {
    const workflow = await world.workflow('draft');
    const create = { workflowId: workflow.id, type: 'schedule' as const, config: { cron: '30 10 * * *' } };
    const trigger = await world.trigger(create);
    expect(trigger.nextFireAt).toBeNull();
    await world.workflows.update(world.context, workflow.id, { status: 'active' });
    expect((await world.triggers.get(world.context, trigger.id)).nextFireAt).toEqual(at('21T10:30'));
    expect((await world.triggers.update(world.context, trigger.id, { status: 'paused' })).nextFireAt).toBeNull();
    const resumed = await world.triggers.update(world.context, trigger.id, { status: 'active' });
    expect(resumed.nextFireAt).toEqual(at('21T10:30'));
  });

  it('follows the config, in its time zone', async () => {
    const trigger = await world.trigger({
      type: 'schedule',
      config: { cron: '0 9 * * *', timezone: 'America/New_York' },
    });
    expect(trigger.nextFireAt).toEqual(at('21T14:00'));
    const changed = await world.triggers.update(world.context, trigger.id, { config: { cron: '0 9 * * *' } });
    expect(changed.nextFireAt).toEqual(at('22T09:00'));
  });

  it('is not lost when the same config is sent while a tick is due', async () => {
    const config = { cron: '1 10 * * *' };
    const trigger = await world.trigger({ type: 'schedule', config });
    world.clock.time = at('21T10:02');
    try {
      const same = await world.triggers.update(world.context, trigger.id, { config, status: 'active' });
      expect(same.nextFireAt).toEqual(at('21T10:01'));
      await world.triggers.update(world.context, trigger.id, { status: 'paused' });
      const resumed = await world.triggers.update(world.context, trigger.id, { status: 'active' });
      expect(resumed.nextFireAt).toEqual(at('22T10:01'));
    } finally {
      world.clock.time = at('21T10:00');
    }
  });
});

describe('a trigger of an app event', () => {
  const update = (id: string, input: object) => world.triggers.update(world.context, id, input);

  it('cannot be resumed while its integration is not connected', async () => {
    const uuid = await world.integration('acme_crm', 'connected');
    const config = { event: 'deal.won', integration_id: toPublicId('int', uuid) };
    const trigger = await world.trigger({ type: 'app_event', config });
    expect(trigger).toMatchObject({ event: 'deal.won', integrationUuid: uuid });
    await world.db.query(`UPDATE integrations SET status = 'expired' WHERE id = $1`, [uuid]);
    expect((await update(trigger.id, { status: 'paused' })).event).toBe('deal.won');
    await expect(update(trigger.id, { status: 'active' })).rejects.toMatchObject({
      details: [{ field: 'config.integration_id', message: expect.stringContaining('expired') }],
    });
    await world.db.query(`UPDATE integrations SET status = 'connected' WHERE id = $1`, [uuid]);
    expect((await update(trigger.id, { status: 'active' })).status).toBe('active');
    expect(uuidIn('int', config.integration_id)).toBe(uuid);
  });
});
