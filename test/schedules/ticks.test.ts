import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenTransaction } from '../../src/platform/db/transaction.js';
import { type Trigger } from '../../src/features/triggers/trigger.entity.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';
import { until } from '../support/until.js';
import { firedIn, Scheduler } from './schedule-world.js';

const at = (time: string) => new Date(`2026-11-21T${time}${time.length === 5 ? ':00' : ''}.000Z`);

let world: TriggerWorld;
let scheduler: Scheduler;
beforeAll(async () => {
  world = await TriggerWorld.open();
  scheduler = await Scheduler.open(world);
});
afterAll(async () => {
  await scheduler.close();
  await world.close();
});
beforeEach(() => {
  world.clock.time = at('10:00');
  scheduler.logs.length = 0;
});
afterEach(async () => {
  await world.db.query('DELETE FROM runs');
  await world.db.query('DELETE FROM workflows');
});

function schedule(cron: string, more: object = {}, workflowId?: string): Promise<Trigger> {
  return world.trigger({ type: 'schedule', config: { cron, ...more }, ...(workflowId && { workflowId }) });
}

/** Lets a scheduler look at these times, one after the other. */
async function look(...times: string[]): Promise<void> {
  for (const time of times) {
    world.clock.time = at(time);
    await scheduler.turn();
  }
}

const ticks = async () => (await firedIn(world.db)).map(({ scheduledFor }) => scheduledFor);
const nextOf = async ({ id }: Trigger) => (await world.triggers.get(world.context, id)).nextFireAt;

describe('a schedule', () => {
  it('makes one run a tick, for its minute, counted and queued', async () => {
    const trigger = await schedule('*/2 * * * *');
    await look('10:01:59', '10:02', '10:02', '10:02:01', '10:03', '10:04:07');
    const expected = (time: string) => ({
      trigger: trigger.uuid,
      status: 'queued',
      reason: null,
      input: { scheduled_for: at(time).toISOString() },
      scheduledFor: at(time),
    });
    expect(await firedIn(world.db)).toEqual([expected('10:02'), expected('10:04')]);
    expect((await world.workflows.get(world.context, trigger.workflowId)).runCount).toBe(2);
    const [queued] = await world.db.query(
      `SELECT count(*)::int AS jobs FROM pgboss.job WHERE id = ANY (SELECT id FROM runs)`,
    );
    expect(queued).toEqual({ jobs: 2 });
    expect(await nextOf(trigger)).toEqual(at('10:06'));
  });

  it('ticks on the clocks of its time zone', async () => {
    await schedule('30 12 * * *', { timezone: 'Europe/Berlin' });
    await look('11:29:59', '11:30', '12:30');
    expect(await ticks()).toEqual([at('11:30')]);
  });

  it('fires a tick once, also when its next time is set back', async () => {
    const trigger = await schedule('* * * * *');
    await look('10:01');
    await world.db.query(`UPDATE triggers SET next_fire_at = $2 WHERE id = $1`, [trigger.uuid, at('10:00:30')]);
    await look('10:01:20');
    expect(await ticks()).toEqual([at('10:01')]);
    expect(await nextOf(trigger)).toEqual(at('10:02'));
  });
});

describe('a schedule that does not tick', () => {
  it('has no next time and no record while it is paused', async () => {
    const trigger = await schedule('* * * * *');
    await look('10:01');
    expect((await world.triggers.update(world.context, trigger.id, { status: 'paused' })).nextFireAt).toBeNull();
    await look('10:02', '10:30');
    const resumed = await world.triggers.update(world.context, trigger.id, { status: 'active' });
    expect(resumed.nextFireAt).toEqual(at('10:31'));
    await look('10:30:10', '10:31');
    expect(await ticks()).toEqual([at('10:01'), at('10:31')]);
  });

  it.each(['paused', 'draft', 'archived'] as const)('has none while its workflow is %s', async (status) => {
    const trigger = await schedule('* * * * *', { catch_up: 'last' });
    const { workflowId } = trigger;
    await look('10:01');
    await world.workflows.update(world.context, workflowId, { status });
    expect(await nextOf(trigger)).toBeNull();
    expect((await schedule('* * * * *', {}, workflowId)).nextFireAt).toBeNull();
    await look('10:02', '10:30:05');
    await world.workflows.update(world.context, workflowId, { status: 'active' });
    expect(await nextOf(trigger)).toEqual(at('10:31'));
    await look('10:30:10', '10:31');
    expect(await ticks()).toEqual([at('10:01'), at('10:31'), at('10:31')]);
  });

  it('stays paused when its workflow is activated', async () => {
    const trigger = await schedule('* * * * *');
    await world.triggers.update(world.context, trigger.id, { status: 'paused' });
    await world.workflows.update(world.context, trigger.workflowId, { status: 'paused' });
    await world.workflows.update(world.context, trigger.workflowId, { status: 'active' });
    await look('10:01');
    expect(await ticks()).toEqual([]);
  });

  it('ends with its workflow, and with itself', async () => {
    const [one, other] = [await schedule('* * * * *'), await schedule('* * * * *')];
    await world.workflows.delete(world.context, one.workflowId);
    await world.triggers.delete(world.context, other.id);
    await look('10:01');
    expect(await ticks()).toEqual([]);
  });

  it('is not moved by a change of its workflow that leaves it active', async () => {
    const trigger = await schedule('1 10 * * *');
    world.clock.time = at('10:01:30');
    await world.workflows.update(world.context, trigger.workflowId, { status: 'active', name: 'Renamed' });
    await look('10:01:40');
    expect(await ticks()).toEqual([at('10:01')]);
  });
});

describe('a change of the config', () => {
  it('moves the next time at once, and the old one never fires', async () => {
    const trigger = await schedule('5 10 * * *');
    const changed = await world.triggers.update(world.context, trigger.id, { config: { cron: '3 10 * * *' } });
    expect(changed.nextFireAt).toEqual(at('10:03'));
    await look('10:03', '10:05');
    expect(await ticks()).toEqual([at('10:03')]);
  });
});

describe('ticks during a downtime', () => {
  const missed = (count: number, first: string, last: string) => ({
    status: 'skipped',
    reason: 'missed',
    scheduledFor: null,
    input: { missed: count, first: at(first).toISOString(), last: at(last).toISOString() },
  });

  it('make one skipped run that tells of them all, and do not count', async () => {
    const trigger = await schedule('*/5 * * * *');
    await look('10:05', '10:33', '10:33:01');
    expect(await firedIn(world.db)).toMatchObject([
      { status: 'queued', scheduledFor: at('10:05') },
      missed(5, '10:10', '10:30'),
    ]);
    expect((await world.workflows.get(world.context, trigger.workflowId)).runCount).toBe(1);
    expect(await nextOf(trigger)).toEqual(at('10:35'));
  });

  it('fire once, the latest, when the schedule catches up', async () => {
    const trigger = await schedule('*/5 * * * *', { catch_up: 'last' });
    world.clock.time = at('10:33');
    expect(await nextOf(trigger)).toEqual(at('10:30'));
    await look('10:33', '10:33:01', '10:35');
    expect(await firedIn(world.db)).toMatchObject([
      missed(5, '10:05', '10:25'),
      { status: 'queued', scheduledFor: at('10:30'), input: { scheduled_for: at('10:30').toISOString() } },
      { status: 'queued', scheduledFor: at('10:35') },
    ]);
  });

  it('leave no trace when the only one fires late', async () => {
    await schedule('5 10 * * *', { catch_up: 'last' });
    await look('11:00');
    expect(await firedIn(world.db)).toMatchObject([{ status: 'queued', scheduledFor: at('10:05') }]);
  });

  it('are not missed within the last 60 seconds', async () => {
    await schedule('* * * * *');
    await look('10:03');
    expect(await firedIn(world.db)).toMatchObject([
      missed(1, '10:01', '10:01'),
      { scheduledFor: at('10:02') },
      { scheduledFor: at('10:03') },
    ]);
  });
});

describe('a trigger in trouble', () => {
  it('whose time zone this runtime lacks delays no other', async () => {
    const broken = await schedule('* * * * *');
    const sound = await schedule('* * * * *');
    await world.db.query(
      `UPDATE triggers SET config = '{"cron":"* * * * *","timezone":"Mars/Olympus"}' WHERE id = $1`,
      [broken.uuid],
    );
    await look('10:01', '10:01:01');
    expect(await firedIn(world.db)).toMatchObject([{ trigger: sound.uuid, scheduledFor: at('10:01') }]);
    expect(scheduler.logs.filter((line) => line.includes('no tick can be found'))).toHaveLength(1);
    expect(await nextOf(broken)).toBeNull();
  });

  it('whose workflow is locked is skipped, and waited for once it is overdue', async () => {
    const [held, free] = [await schedule('* * * * *'), await schedule('* * * * *')];
    const other = await OpenTransaction.begin(world.db.source, world.db.turns, {
      text: undefined,
      onFailure: () => undefined,
    });
    await other.client.query('SELECT 1 FROM workflows WHERE id = $1 FOR NO KEY UPDATE', [held.workflowUuid]);
    await look('10:01', '10:01:03');
    expect(await firedIn(world.db)).toMatchObject([{ trigger: free.uuid }]);
    expect(scheduler.logs.filter((line) => line.includes('locked by other sessions'))).toHaveLength(1);
    const waiting = scheduler.turn();
    await until(async () => {
      const [row] = await world.db.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row!.waiting > 0;
    });
    await other.commit();
    await waiting;
    expect(await firedIn(world.db)).toMatchObject([{ trigger: free.uuid }, { trigger: held.uuid }]);
  });
});

describe('many different schedules after a year', () => {
  it('are all looked at in one turn', async () => {
    const workflow = await world.workflow();
    const minutes = Array.from({ length: 40 }, (_, index) => index);
    for (const minute of minutes) await schedule(`${minute} */2 * * *`, { timezone: 'Europe/Berlin' }, workflow.id);
    world.clock.time = new Date('2027-11-21T10:59:30.000Z');
    await scheduler.turn();
    const fired = await firedIn(world.db);
    expect(fired.map(({ reason }) => reason)).toEqual(minutes.map(() => 'missed'));
    expect(new Set(fired.map(({ trigger }) => trigger)).size).toBe(minutes.length);
  });
});
