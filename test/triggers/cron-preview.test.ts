import { nextFire, parseCron } from '../../src/features/triggers/schedules/cron.js';
import { cronWords } from '../../src/features/triggers/schedules/cron-words.js';
import { Client } from '../support/http/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ROLES: 'api' } });
  client = new Client(server.baseUrl, await server.key());
});
afterAll(() => server.close());

const PREVIEW = `query ($cron: String!, $timezone: String, $count: Int! = 5) {
  cronPreview(cron: $cron, timezone: $timezone, count: $count) { description next }
}`;
const preview = async (variables: object) => (await client.graphql(PREVIEW, { ...variables })).body;

describe('cronPreview', () => {
  it('gives words and the next five times, on the clocks of the time zone', async () => {
    const { data } = await preview({ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' });
    const cron = parseCron('0 9 * * 1-5', 'Europe/Berlin');
    const next: Date[] = [];
    for (let at = server.clock.now(); next.length < 5; at = next.at(-1)!) next.push(nextFire(cron, at));
    expect(data.cronPreview).toEqual({
      description: 'At 09:00, Monday through Friday',
      next: next.map((at) => at.toISOString()),
    });
  });

  it('tells of the times that a trigger of that schedule fires at', async () => {
    const workflow = (await client.rest('POST', '/workflows', { body: { name: 'w', status: 'active' } })).body.id;
    const config = { cron: '17 */5 * * *', timezone: 'Asia/Kolkata' };
    const made = await client.graphql(
      `mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { nextFireAt } }`,
      { input: { workflowId: workflow, type: 'SCHEDULE', config } },
    );
    const { data } = await preview({ ...config, count: 1 });
    expect(data.cronPreview.next).toEqual([made.body.data.createTrigger.nextFireAt]);
  });

  it.each([
    [{ cron: '0 0 32 * *' }, 'cron', 'day 32 is out of range in cron "0 0 32 * *": expected 1-31.'],
    [{ cron: '* * *' }, 'cron', 'has 3 fields: expected 5'],
    [{ cron: '' }, 'cron', 'has 0 fields: expected 5'],
    [{ cron: '0 0 31 2 *' }, 'cron', 'never fires'],
    [{ cron: '@daily' }, 'cron', 'has 1 field: expected 5'],
    [{ cron: '0 9 * * *', timezone: '+02:00' }, 'timezone', 'must be an IANA time zone such as "Europe/Berlin"'],
    [{ cron: '0 9 * * *', count: 11 }, 'count', 'must be at most 10'],
    [{ cron: '0 9 * * *', count: 0 }, 'count', 'must be at least 1'],
    [{ cron: `${'0,'.repeat(500)}0 9 * * *` }, 'cron', 'must have at most 1000 characters'],
  ])('says what is wrong with %j', async (variables, field, message) => {
    const { errors } = await preview(variables);
    const { code, details } = errors![0].extensions;
    expect([code, details[0].field]).toEqual(['VALIDATION_ERROR', field]);
    expect(details[0].message.toLowerCase()).toContain(message.toLowerCase());
  });
});

describe('the words of a schedule', () => {
  it.each([
    ['*/5 * * * *', 'Every 5 minutes'],
    ['0 0 13 * 5', 'At 00:00, on day 13 of the month, and on Friday'],
    ['0 0 */2 * 5', 'At 00:00, every 2 days in a month, only on Friday'],
    ['0 0 1-31 * 5', 'At 00:00, every day'],
    ['*/10 8-18 * * *', 'Every 10 minutes, between 08:00 and 18:59, every day'],
    ['*,5 * * * *', 'Every minute'],
    ['*/60 * * * *', 'Every hour'],
    ['0 9 * * *,mon', 'At 09:00, every day'],
    ['0 9 * * 0-7', 'At 09:00, every day'],
    ['0 9 * * 7', 'At 09:00, only on Sunday'],
    ['0\t9  * jan,FEB sat-sun', 'At 09:00, Saturday through Sunday, only in January and February'],
  ])('of %j are %j', (expression, words) => {
    expect(cronWords(parseCron(expression))).toBe(words);
  });

  it('are found for whatever is a schedule', () => {
    const parts = {
      minute: ['*', '*/7', '5,10-20/2', '0-59', '*/2,5'],
      hour: ['*', '*/24', '8-18/2'],
      day: ['*', '*/31', '1', '31', '1,15-20', '*,2'],
      month: ['*', '2', 'jan-DEC'],
      weekday: ['*', '7', 'sun,*', '5-7', 'sat-sun', '1-5/2,0', '*/7'],
    };
    let tried = 0;
    for (const minute of parts.minute)
      for (const hour of parts.hour)
        for (const day of parts.day)
          for (const month of parts.month)
            for (const weekday of parts.weekday) {
              const expression = [minute, hour, day, month, weekday].join(' ');
              let cron;
              try {
                cron = parseCron(expression);
              } catch {
                continue;
              }
              tried += 1;
              const words = cronWords(cron);
              if (!/^[A-Z]/.test(words) || /undefined|null|NaN|\*/.test(words))
                expect([expression, words]).toBe('words');
            }
    expect(tried).toBeGreaterThan(1_000);
  });
});
