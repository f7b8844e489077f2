import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/http/client.js';
import { signedIn } from '../support/worlds/people.js';
import { RunWorld } from '../support/worlds/run-world.js';
import { until } from '../support/until.js';
import { pathOf, waiting, waitsOf } from './wait-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.open({ env: { CONTACT_EMAIL: 'ops@example.com' } });
});
afterAll(() => world.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const flow = (config: object = {}) => [
  { name: 'ask', kind: 'wait_for_approval', config: { title: 'Refund {{ trigger.body.order }}', ...config } },
  world.call('after', { body: '{{ steps.ask }}' }),
];

/** A run that waits for an approval, with the wait. */
async function asked(config: object = {}, order: unknown = 7): Promise<{ run: string; wait: any }> {
  const { hook } = await world.workflow(flow(config));
  const run = await world.fire(hook, { order });
  return { run, wait: (await waiting(world, run))[0] };
}

const form = (url: string, fields: Record<string, string>) =>
  world.client.send('POST', pathOf(url), {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** The mails that were queued for an approval, with the link in each. */
async function mails(run: string): Promise<{ to: string; text: string; link: string }[]> {
  const rows = await world.server.db.query<{ to: string; text: string }>(
    `SELECT recipients[1] AS to, text FROM mails WHERE key LIKE $1 ORDER BY key`,
    [`${run}-0-approver-%`],
  );
  return rows.map((mail) => ({ ...mail, link: /http\S+\/approvals\/\S+/.exec(mail.text)![0] }));
}

describe('the page of an approval', () => {
  it('shows what is asked and decides nothing', async () => {
    const { run, wait } = await asked({ text: 'The customer <b>complained</b>.' });
    expect(wait).toMatchObject({ kind: 'approval', title: 'Refund 7', step: 'ask' });
    for (const method of ['GET', 'HEAD']) await world.client.send(method, pathOf(wait.url));
    const page = await world.client.send('GET', pathOf(wait.url));
    expect(page.status).toBe(200);
    expect(page.body).toContain('Refund 7');
    expect(page.body).toContain('&lt;b&gt;complained&lt;/b&gt;');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
  });

  it('approves without a name by the URL of the wait', async () => {
    const { run, wait } = await asked();
    const answer = await form(wait.url, { decision: 'approved', comment: 'Fine.\r\nGo on.' });
    expect(answer.status).toBe(200);
    const output = { decision: 'approved', comment: 'Fine.\nGo on.', by: null };
    expect((await world.ended(run)).steps[0]).toMatchObject({ status: 'succeeded', output });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'answered', answer: output, answered_by: null }]);
  });

  it('tells a second person what was decided, and changes nothing', async () => {
    const { run, wait } = await asked();
    await form(wait.url, { decision: 'approved' });
    const second = await form(wait.url, { decision: 'denied', comment: 'No!' });
    expect(second.status).toBe(200);
    expect(second.body).toContain('Approved');
    expect(second.body).not.toContain('No!');
    expect((await world.ended(run)).status).toBe('succeeded');
    expect((await world.client.send('GET', pathOf(wait.url))).body).toContain('It was decided before.');
  });

  it('takes one of two decisions at once', async () => {
    const { run, wait } = await asked({ on_denied: 'continue' });
    await Promise.all([
      form(wait.url, { decision: 'approved' }),
      form(wait.url, { decision: 'denied' }),
      world.client.rest('POST', `/waits/${wait.id}/answer`, { body: { decision: 'approved' } }),
    ]);
    const { steps } = await world.ended(run);
    expect(steps).toHaveLength(2);
    expect(world.received.filter(({ headers }) => headers['idempotency-key'] === `${run}-1`)).toHaveLength(1);
    expect((await waitsOf(world, run))[0].answer).toEqual(steps[0].output);
  });

  it('refuses forms of other origins, unknown decisions and long comments', async () => {
    const { run, wait } = await asked();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' };
    const foreign = await world.client.send('POST', pathOf(wait.url), { body: 'decision=approved', headers });
    expect(foreign.status).toBe(403);
    expect((await form(wait.url, { decision: 'maybe' })).status).toBe(400);
    expect((await form(wait.url, { decision: 'approved', comment: 'x'.repeat(2_001) })).status).toBe(400);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
  });

  it('is 410 once the wait was canceled, and 404 for a made-up token', async () => {
    const { run, wait } = await asked();
    await world.client.rest('POST', `/runs/${run}/cancel`);
    expect((await world.client.send('GET', pathOf(wait.url))).status).toBe(410);
    expect((await form(wait.url, { decision: 'approved' })).status).toBe(410);
    expect((await world.client.send('GET', `/approvals/${'A'.repeat(47)}`)).status).toBe(404);
  });
});

describe('an approval that is decided before its run reaches it', () => {
  it('has a page without a title, keeps the decision, and mails nobody', async () => {
    const held = Promise.withResolvers<void>();
    world.reply = async ({ url }) => {
      if (url === '/first') await held.promise;
      return { body: {} };
    };
    const first = world.call('first', { body: { url: '{{ waits.ask.url }}' } });
    const { hook } = await world.workflow([first, ...flow({ approvers: ['ada@example.com'] })]);
    const run = await world.fire(hook, { order: 7 });
    const sent = () =>
      world.received.find(({ headers, url }) => url === '/first' && headers['idempotency-key'] === `${run}-0`);
    await until(() => sent() !== undefined);
    const { url } = JSON.parse(sent()!.body) as { url: string };
    const page = await world.client.send('GET', pathOf(url));
    expect(page.status).toBe(200);
    expect(page.body).not.toContain('Refund');
    expect(await waitsOf(world, run)).toEqual([]);
    expect((await form(url, { decision: 'approved', comment: 'In time.' })).status).toBe(200);
    const answer = { decision: 'approved', comment: 'In time.', by: null };
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'answered', title: null, answer }]);
    held.resolve();
    world.reply = () => ({ body: {} });
    const ended = await world.ended(run);
    expect(ended).toMatchObject({ status: 'succeeded', steps: [{}, { name: 'ask', output: answer }, {}] });
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'answered', title: 'Refund 7' }]);
    expect(await world.server.db.query(`SELECT 1 FROM mails WHERE key LIKE $1`, [`${run}-%`])).toEqual([]);
    expect((await world.client.send('GET', pathOf(url))).body).toContain('In time.');
  });
});

describe('a text that becomes too long once its placeholders are filled in', () => {
  it.each([
    ['title', 193, 'Refund '],
    ['text', 4_000, ''],
  ])('fails the step: %s', async (field, most, before) => {
    const { hook } = await world.workflow(flow({ [field]: `${before}{{ trigger.body.long }}` }));
    const longest = await world.fire(hook, { order: 7, long: 'x'.repeat(most) });
    expect(await waiting(world, longest)).toHaveLength(1);
    const ended = await world.ended(await world.fire(hook, { order: 7, long: 'x'.repeat(most + 1) }));
    expect(ended).toMatchObject({
      status: 'failed',
      steps: [{ name: 'ask', status: 'failed', error: { code: 'invalid_config' } }],
    });
    expect(ended.steps[0].error.message).toContain(field);
  });
});

describe('approvers', () => {
  it('each get one mail with a link that gives their address', async () => {
    const approvers = ['ada@example.com', '{{ trigger.body.who }}', 'ADA@example.com'];
    const { hook } = await world.workflow(flow({ approvers }));
    const run = await world.fire(hook, { order: 1, who: 'bob@example.com' });
    await waiting(world, run);
    const sent = await mails(run);
    expect(sent.map(({ to }) => to).sort()).toEqual(['ADA@example.com', 'bob@example.com']);
    expect(new Set(sent.map(({ link }) => link)).size).toBe(2);
    // A mail scanner opens every link of a mail, some more than once.
    for (const { link } of [...sent, ...sent]) {
      for (const method of ['HEAD', 'GET', 'OPTIONS']) await world.client.send(method, pathOf(link));
    }
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending', answered_by: null }]);
    const bob = sent.find(({ to }) => to === 'bob@example.com')!;
    expect((await world.client.send('GET', pathOf(bob.link))).body).toContain('bob@example.com');
    await form(bob.link, { decision: 'approved' });
    expect((await world.ended(run)).steps[0].output).toMatchObject({ decision: 'approved', by: 'bob@example.com' });
    expect(await waitsOf(world, run)).toMatchObject([{ answered_by: 'bob@example.com' }]);
    const ada = sent.find(({ to }) => to === 'ADA@example.com')!;
    expect((await form(ada.link, { decision: 'denied' })).body).toContain('bob@example.com');
  });

  it('fail the step with a bad rendered address', async () => {
    const { hook } = await world.workflow(flow({ approvers: ['{{ trigger.body.who }}'] }));
    const ended = await world.ended(await world.fire(hook, { order: 1, who: 'nobody' }));
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'invalid_config' } });
    expect(await waitsOf(world, ended.id)).toEqual([]);
  });
});

describe('a denied approval', () => {
  it('fails step and run', async () => {
    const { run, wait } = await asked();
    await form(wait.url, { decision: 'denied', comment: 'Too much.' });
    const ended = await world.ended(run);
    const error = { code: 'denied', message: 'It was denied: “Too much.”' };
    expect(ended).toMatchObject({ status: 'failed', error });
    expect(ended.steps).toMatchObject([{ name: 'ask', status: 'failed', error }]);
    expect((await waitsOf(world, run))[0].answer).toEqual({ decision: 'denied', comment: 'Too much.', by: null });
  });

  it('continues if the action says so', async () => {
    const { run, wait } = await asked({ on_denied: 'continue' });
    await form(wait.url, { decision: 'denied' });
    expect(await world.ended(run)).toMatchObject({
      status: 'succeeded',
      steps: [{ output: { decision: 'denied' } }, {}],
    });
  });
});

describe('an approval over the API', () => {
  it('names the key or the person', async () => {
    const one = await asked();
    const { body } = await world.client.rest('POST', `/waits/${one.wait.id}/answer`, {
      body: { decision: 'approved', comment: 'ok' },
    });
    expect(body).toMatchObject({ status: 'answered', answer: { decision: 'approved', comment: 'ok' } });
    expect(body.answered_by).toBe(body.answer.by);
    expect(body.answered_by).toMatch(/\w/);
    const two = await asked();
    const person = await signedIn(world.server);
    const answered = await person.client.graphql(
      `mutation ($id: ID!) { answerWait(id: $id, answer: { decision: DENIED }) { answeredBy answer } }`,
      { id: two.wait.id },
    );
    expect(answered.body.data.answerWait).toMatchObject({ answeredBy: person.email, answer: { by: person.email } });
  });

  it('refuses the wrong form, then a second answer whatever its form', async () => {
    const { wait } = await asked();
    const answer = (body: object) => world.client.rest('POST', `/waits/${wait.id}/answer`, { body });
    for (const body of [{}, { body: 1 }, { comment: 'x' }, { decision: 'maybe' }])
      expect(await answer(body)).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(await answer({ decision: 'approved', comment: 'x'.repeat(2_001) })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'comment', message: 'must have at most 2000 characters' }] },
    });
    expect(await answer({ decision: 'maybe', comment: 5 })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'decision' }, { field: 'comment' }] },
    });
    expect((await answer({ decision: 'approved', comment: 'x'.repeat(2_000) })).status).toBe(200);
    const wrong = [{ decision: 'maybe' }, { decision: 5 }, { decision: 'denied', comment: 'x'.repeat(2_001) }];
    for (const body of [{}, { decision: 'approved' }, { body: 1 }, { decision: 'denied', comment: [] }, ...wrong])
      expect(await answer(body)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('refuses a long comment over GraphQL too, after the status of the wait', async () => {
    const { run, wait } = await asked();
    const answer = async (comment: string) => {
      const query = `mutation ($id: ID!, $comment: String) {
        answerWait(id: $id, answer: { decision: APPROVED, comment: $comment }) { status } }`;
      return (await world.client.graphql(query, { id: wait.id, comment })).body;
    };
    const long = 'x'.repeat(2_001);
    expect((await answer(long)).errors).toMatchObject([
      { extensions: { code: 'VALIDATION_ERROR', details: [{ field: 'comment' }] } },
    ]);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    expect((await answer('x'.repeat(2_000))).data.answerWait).toEqual({ status: 'ANSWERED' });
    expect((await answer(long)).errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  });

  it('is refused to a read-only key, which sees no URL', async () => {
    const { wait } = await asked();
    const { url, ...others } = wait;
    const reader = new Client(world.server.url, await world.server.key('read-only'));
    const refused = await reader.rest('POST', `/waits/${wait.id}/answer`, { body: { decision: 'approved' } });
    expect(refused.status).toBe(403);
    expect((await reader.rest('GET', `/waits/${wait.id}`)).body).toEqual({ ...others, url: null });
    expect(url).toContain('/approvals/');
  });
});

describe('an approval whose time is over', () => {
  it.each([
    [{}, 'failed', 'wait_expired', null],
    [{ on_timeout: 'deny' }, 'failed', 'denied', { decision: 'denied', comment: null, by: null }],
    [
      { on_timeout: 'deny', on_denied: 'continue' },
      'succeeded',
      undefined,
      { decision: 'denied', comment: null, by: null },
    ],
  ])('with %j ends %s', async (config, status, code, answer) => {
    const { run, wait } = await asked({ timeout_seconds: 3_600, ...config });
    await world.server.advance(HOUR - MINUTE);
    expect(await waitsOf(world, run)).toMatchObject([{ status: 'pending' }]);
    await world.server.advance(MINUTE + 1_000);
    const ended = await world.ended(run);
    expect(ended.status).toBe(status);
    expect(ended.error?.code).toBe(code);
    await until(async () => (await waitsOf(world, run))[0].status === 'expired');
    expect((await waitsOf(world, run))[0]).toMatchObject({ answer, answered_at: null, answered_by: null });
    expect((await world.client.send('GET', pathOf(wait.url))).status).toBe(410);
  });
});
