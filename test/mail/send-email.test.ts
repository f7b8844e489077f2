import { RunWorld } from '../support/worlds/run-world.js';
import { noteSecret } from '../support/database/secrets.js';
import { until } from '../support/until.js';
import { readable } from './parse-head.js';
import { PostOffice } from './post-office.js';
import { refuseMails } from './refuse-mails.js';

describe('a step that sends a mail', () => {
  let office: PostOffice;
  let world: RunWorld;
  beforeAll(async () => {
    office = await PostOffice.open();
    // The world looks through its log and database for what was noted, when it closes.
    const password = noteSecret('smtp-password-4711');
    const url = office.url.replace('//', `//flows:${password}@`);
    world = await RunWorld.open({ env: { SMTP_URL: url, MAIL_FROM: 'Flows <flows@sender.test>' } });
  });
  beforeEach(() => office.reset());
  afterAll(async () => {
    await world.close();
    await office.close();
  });

  const mailer = (config: object = {}) =>
    world.workflow([
      {
        name: 'tell',
        kind: 'send_email',
        config: {
          to: ['{{ trigger.body.to }}', 'bob@x.test'],
          subject: 'Order {{ trigger.body.order }}',
          text: 'Dear customer,\n.\nyour order {{ trigger.body.order }} <b>is</b> here. Grüße',
          ...config,
        },
      },
    ]);

  it('has it sent from MAIL_FROM to all its recipients, once', async () => {
    const { hook } = await mailer();
    const run = await world.ended(await world.fire(hook, { to: 'ann@x.test', order: 'Ä-17' }));
    expect(run).toMatchObject({ status: 'succeeded', steps: [{ output: { to: ['ann@x.test', 'bob@x.test'] } }] });
    await until(() => office.arrived.length > 0);
    const [mail] = office.arrived;
    expect(mail).toMatchObject({ from: 'flows@sender.test', to: ['ann@x.test', 'bob@x.test'], subject: 'Order Ä-17' });
    expect(mail!.user).toBe('flows');
    expect(mail!.headers.from).toBe('Flows <flows@sender.test>');
    // A line of one dot does not end the message (RFC 5321, 4.5.2).
    expect(readable(mail!.raw)).toMatch(/Dear customer,\r?\n\.\r?\nyour order Ä-17 <b>is<\/b> here\. Grüße/);
    await until(async () => (await world.server.db.query(`SELECT 1 FROM mails WHERE status = 'sent'`)).length === 1);
    expect(office.arrived).toHaveLength(1);
  });

  it.each([
    ['a subject', { to: 'ann@x.test', order: 'x\r\nBcc: eve@x.test' }],
    ['a recipient', { to: 'ann@x.test\r\nBcc: eve@x.test', order: 1 }],
    ['a recipient that are two', { to: 'ann@x.test, eve@x.test', order: 1 }],
    ['a recipient with a comment', { to: 'ann@x.test (eve@x.test)', order: 1 }],
  ])('fails when a placeholder brings %s that would begin a header of its own', async (_, body) => {
    const { hook } = await mailer();
    const run = await world.ended(await world.fire(hook, body));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'invalid_config' } });
    expect(await world.server.db.query(`SELECT 1 FROM mails WHERE status = 'queued'`)).toEqual([]);
    expect(office.asked).toEqual([]);
  });

  it('tells of sent and failed mails at /metrics', async () => {
    office.script = (stage) => (stage === 'rcpt' ? 550 : undefined);
    const { hook } = await mailer();
    await world.ended(await world.fire(hook, { to: 'ann@x.test', order: 1 }));
    const metrics = async () => (await fetch(`${world.server.baseUrl}/metrics`)).text();
    await until(async () => /^mails_failed 1$/m.test(await metrics()));
    expect(await metrics()).toMatch(/^mails_sent 1$/m);
  });

  it('is tried again when the database could not take the mail', async () => {
    const { db } = world.server;
    const takeMails = await refuseMails(db);
    const { hook } = await mailer();
    const id = await world.fire(hook, { to: 'ann@x.test', order: 1 });
    await until(async () => (await world.run(id)).steps[0]?.error != null);
    const waiting = await world.run(id);
    await takeMails();
    expect(waiting).toMatchObject({
      status: 'running',
      steps: [{ status: 'running', error: { code: 'unavailable' } }],
    });
    expect(await world.ended(id)).toMatchObject({ status: 'succeeded', steps: [{ attempt: 2, error: null }] });
  });

  it('fails if a placeholder inserts text that no mail can contain', async () => {
    const { hook } = await mailer({ subject: 'Order', text: '{{ trigger.body.order }}' });
    const run = await world.ended(await world.fire(hook, { to: 'ann@x.test', order: 'a\0b' }));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'invalid_config' } });
  });
});
