import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppError } from '../../src/platform/errors.js';
import { toPublicId } from '../../src/platform/ids/ids.js';
import { triggerKinds } from '../../src/features/triggers/kinds/index.js';
import { TriggerType } from '../../src/features/workflows/trigger-type.js';
import { TriggerWorld } from '../support/worlds/trigger-world.js';

let world: TriggerWorld;
let workflowId: string;
beforeAll(async () => {
  world = await TriggerWorld.open();
  workflowId = (await world.workflow()).id;
});
afterAll(() => world.close());

/** `field: message` of each fault. */
async function faultsOf(type: TriggerType, config?: Record<string, unknown>): Promise<string[]> {
  const error: unknown = await world.trigger({ workflowId, type, config }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'validation_error' });
  return (error as AppError).details!.map(({ field, message }) => `${field}: ${message}`);
}

describe('the list of kinds', () => {
  it('names every file of its folder, under its own type', () => {
    const files = readdirSync(new URL('../../src/features/triggers/kinds/', import.meta.url))
      .map((file) => file.replace('.ts', ''))
      .filter((file) => file !== 'index');
    expect(Object.keys(triggerKinds).sort()).toEqual(files.sort());
    expect(Object.values(triggerKinds).map(({ type }) => type)).toEqual(Object.keys(triggerKinds));
    expect(Object.values(TriggerType).sort()).toEqual(files);
  });
});

describe('schedule', () => {
  it.each([
    [undefined, 'config.cron: is required: five fields, e.g. "0 9 * * 1-5"'],
    [{ cron: 5 }, 'config.cron: must be a text of five fields, e.g. "0 9 * * 1-5"'],
    [{ cron: null }, 'config.cron: must be a text of five fields, e.g. "0 9 * * 1-5"'],
    [{ cron: '0 0 32 * *' }, 'config.cron: Day 32 is out of range in cron "0 0 32 * *": expected 1-31.'],
    [
      { cron: '* * * * *', timezone: 'Mars/Olympus' },
      'config.timezone: must be an IANA time zone such as "Europe/Berlin"',
    ],
    [{ cron: '* * * * *', timezone: null }, 'config.timezone: must be an IANA time zone such as "Europe/Berlin"'],
    [{ cron: '* * * * *', catch_up: 'all' }, 'config.catch_up: must be none or last'],
  ])('refuses %j', async (config, fault) => {
    expect(await faultsOf('schedule', config)).toEqual([fault]);
  });

  it.each(['0 * * * * *', '@daily', '0 0 31 2 *'])('refuses %s', async (cron) => {
    expect(await faultsOf('schedule', { cron })).toEqual([expect.stringMatching(/^config\.cron: /)]);
  });

  it('names every fault at once', async () => {
    const faults = await faultsOf('schedule', { timezone: 'x', catch_up: 1 });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(['config.timezone', 'config.catch_up', 'config.cron']);
  });

  it('takes a time zone and catch_up', async () => {
    const config = { cron: '0 9 * * mon', timezone: 'Europe/Berlin', catch_up: 'last' };
    const trigger = await world.trigger({ workflowId, type: 'schedule', config });
    expect(trigger.nextFireAt).toEqual(new Date('2026-11-23T08:00:00.000Z'));
  });
});

describe('webhook', () => {
  it.each([
    [{ secret: null }, 'config.secret: must be a text'],
    [{ secret: '' }, 'config.secret: must not be empty'],
    [{ secret: 'x'.repeat(1_001) }, 'config.secret: must have at most 1000 characters'],
    [{ signature_header: 'a b' }, 'config.signature_header: must be the name of an HTTP header'],
    [{ dedupe_header: '' }, 'config.dedupe_header: must be the name of an HTTP header'],
    [{ dedupe_header: 7 }, 'config.dedupe_header: must be the name of an HTTP header'],
  ])('refuses %j', async (config, fault) => {
    expect(await faultsOf('webhook', config)).toEqual([fault]);
  });
});

describe('app_event', () => {
  const event = 'contact.created';
  const withIntegration = (uuid: string) => ({ event, integration_id: toPublicId('int', uuid) });

  it.each([
    [undefined, 'config.event: is required'],
    [{ event: '' }, 'config.event: must not be empty'],
    [{ event, integration_id: null }, 'config.integration_id: must be the id of an integration'],
    [{ event, filter: [] }, 'config.filter: must be an object of dotted paths and the values they must equal'],
    [{ event, filter: { 'a..b': 1 } }, 'config.filter: has "a..b", which is not a dotted path such as deal.stage'],
    [{ event, filter: { 'a.b': {} } }, 'config.filter.a.b: must be a text, a number, true, false or null'],
    [
      { event, filter: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, 1])) },
      'config.filter: has 51 paths; the most is 50',
    ],
    [
      { event, filter: { ['\u{1f600}'.repeat(256)]: 1 } },
      `config.filter: has a path of more than 255 characters, which begins with "${'\u{1f600}'.repeat(10)}"`,
    ],
    [{ event, filter: { 'a.b': 'x'.repeat(1_001) } }, 'config.filter.a.b: must have at most 1000 characters'],
    [{ event: 'no.such' }, 'config.event: no application offers an event "no.such"'],
  ])('refuses %j', async (config, fault) => {
    expect(await faultsOf('app_event', config)).toEqual([fault]);
  });

  it('needs a connected integration of the account that offers the event', async () => {
    await world.integration('acme_crm', 'expired');
    await world.integration('acme_crm', 'connected', world.stranger);
    const deleted = await world.integration('other_crm', 'connected');
    await world.db.query('UPDATE integrations SET deleted_at = clock_now() WHERE id = $1', [deleted]);
    const fault = `config.event: no connected integration offers "${event}": connect one of acme_crm, other_crm`;
    expect(await faultsOf('app_event', { event })).toEqual([fault]);
    await world.integration('other_crm', 'connected');
    expect(await world.trigger({ workflowId, type: 'app_event', config: { event } })).toMatchObject({ event });
  });

  it('asks the named integration: its account, its existence, its events, its status', async () => {
    const create = (config: Record<string, unknown>) => world.trigger({ workflowId, type: 'app_event', config });
    const foreign = await world.integration('acme_crm', 'connected', world.stranger);
    await expect(create(withIntegration(foreign))).rejects.toMatchObject({ code: 'unauthorized' });
    const deleted = await world.integration('acme_crm', 'connected');
    await world.db.query('UPDATE integrations SET deleted_at = clock_now() WHERE id = $1', [deleted]);
    await expect(create(withIntegration(deleted))).rejects.toMatchObject({ code: 'not_found' });
    for (const integration_id of ['nonsense', 'int_01h455vb4pex5vsknk084sn02q'])
      await expect(create({ event, integration_id })).rejects.toMatchObject({ code: 'not_found' });
    const other = withIntegration(await world.integration('other_crm', 'connected'));
    expect(await faultsOf('app_event', { ...other, event: 'deal.won' })).toEqual([
      'config.event: "deal.won" is no event of other_crm',
    ]);
    expect(await faultsOf('app_event', withIntegration(await world.integration('acme_crm', 'disconnected')))).toEqual([
      'config.integration_id: the integration is disconnected, not connected: reconnect it first',
    ]);
    const filter = { 'deal.stage': 'won', 'deal.value': 0, flag: true, none: null };
    expect((await create({ ...other, filter })).config).toEqual({ ...other, filter });
    const most = Array.from({ length: 50 }, (_, n) => [`${'\u{1f600}'.repeat(253)}${10 + n}`, 'x'.repeat(1_000)]);
    const largest = { ...other, filter: Object.fromEntries(most) };
    expect((await create(largest)).config).toEqual(largest);
  });
});
