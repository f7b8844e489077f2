import { type AddressInfo, createServer, type Server } from 'node:net';
import { MailRefusedError, type Outgoing } from '../../src/platform/mail/mail-transport.js';
import { type SmtpPatience, smtpOptions } from '../../src/platform/mail/smtp-options.js';
import { SmtpTransport } from '../../src/platform/mail/smtp-transport.js';
import { freePort } from '../support/http/free-port.js';
import { noteSecret } from '../support/database/secrets.js';
import { readable } from './parse-head.js';
import { PostOffice, type Script } from './post-office.js';

const FROM = { name: 'Our Flows, Inc.', address: 'flows@sender.test' };
/** For servers that fall silent. */
const QUICK = { connect: 300, greeting: 300, silence: 300 };

function mail(more: Partial<Outgoing> = {}): Outgoing {
  const recipients = more.recipients ?? ['ann@x.test'];
  return {
    uuid: '01890000-0000-7000-8000-000000000001',
    recipients,
    outstanding: recipients,
    subject: 'Grüße',
    text: 'Line 1\nLine 2 ümlaut',
    html: null,
    createdAt: new Date('2026-11-21T12:00:00Z'),
    ...more,
  };
}

const never = new AbortController().signal;
const to = (url: string, patience?: SmtpPatience): SmtpTransport => new SmtpTransport(smtpOptions(url, patience), FROM);

describe('sending over SMTP', () => {
  let office: PostOffice;
  beforeAll(async () => void (office = await PostOffice.open()));
  beforeEach(() => office.reset());
  afterAll(() => office.close());

  const send = (more?: Partial<Outgoing>, patience?: SmtpPatience) => to(office.url, patience).send(mail(more), never);
  const failure = async (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => Promise.reject(new Error('It did not fail.')),
      (error: unknown) => error as Error,
    );

  it('says whom it is from, whom it is for and which mail it is, the same each time', async () => {
    expect(await send({ html: '<p>Hi</p>' })).toEqual({ deferred: [], refused: [], answer: undefined });
    await send();
    const [first, second] = office.arrived;
    expect(first).toMatchObject({ from: 'flows@sender.test', to: ['ann@x.test'], subject: 'Grüße' });
    expect(first!.headers).toMatchObject({
      from: '"Our Flows, Inc." <flows@sender.test>',
      to: 'ann@x.test',
      'message-id': '<01890000-0000-7000-8000-000000000001@sender.test>',
      date: 'Sat, 21 Nov 2026 12:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^multipart\/alternative/),
    });
    expect(readable(first!.raw)).toContain('Line 2 ümlaut');
    expect(second!.headers['content-type']).toMatch(/^text\/plain/);
    expect(second!.headers['message-id']).toBe(first!.headers['message-id']);
  });

  it('sends only to recipients that have not got it, and names all in the header', async () => {
    await send({ recipients: ['ann@x.test', 'bob@x.test'], outstanding: ['bob@x.test'] });
    expect(office.asked).toEqual(['bob@x.test']);
    expect(office.arrived[0]!.headers.to).toBe('ann@x.test, bob@x.test');
  });

  it.each<[string, Script]>([
    ['the sender', (stage) => (stage === 'mail' ? 550 : undefined)],
    ['each recipient', (stage) => (stage === 'rcpt' ? 550 : undefined)],
    ['the message', (stage) => (stage === 'data' ? 554 : undefined)],
  ])('is refused for good by 5xx about %s', async (_, script) => {
    office.script = script;
    const error = await failure(send());
    expect(error).toBeInstanceOf(MailRefusedError);
    expect(error.message).toMatch(/^55[04] says/);
    expect(office.arrived).toEqual([]);
  });

  it.each<[string, Script]>([
    ['421 at once', (stage) => (stage === 'connect' ? 421 : undefined)],
    ['554 at once: not the mail is meant', (stage) => (stage === 'connect' ? 554 : undefined)],
    ['451 about the sender', (stage) => (stage === 'mail' ? 451 : undefined)],
    ['450 about a recipient', (stage) => (stage === 'rcpt' ? 450 : undefined)],
    ['452 about the message', (stage) => (stage === 'data' ? 452 : undefined)],
    ['silence at once', (stage) => (stage === 'connect' ? 'hang' : undefined)],
    ['silence about the sender', (stage) => (stage === 'mail' ? 'hang' : undefined)],
    ['silence about the message', (stage) => (stage === 'data' ? 'hang' : undefined)],
  ])('may be sent later after %s', async (_, script) => {
    office.script = script;
    const error = await failure(send({}, QUICK));
    expect(error).not.toBeInstanceOf(MailRefusedError);
    expect(office.arrived).toEqual([]);
  });

  it('tells recipients that may get it later from those that never will', async () => {
    office.script = (stage, what) =>
      stage !== 'rcpt' ? undefined : ({ 'late@x.test': 450, 'no@x.test': 550 } as const)[what as 'no@x.test'];
    expect(await send({ recipients: ['ann@x.test', 'late@x.test', 'no@x.test'] })).toEqual({
      deferred: ['late@x.test'],
      refused: ['no@x.test'],
      answer: expect.stringMatching(/^450 /),
    });
    expect(office.arrived.map((arrived) => arrived.to)).toEqual([['ann@x.test']]);
  });

  it('may be sent later when all were refused, one of them for now', async () => {
    office.script = (stage, what) => (stage !== 'rcpt' ? undefined : what === 'late@x.test' ? 450 : 550);
    expect(await failure(send({ recipients: ['late@x.test', 'no@x.test'] }))).not.toBeInstanceOf(MailRefusedError);
  });

  it('may be sent later when no server listens, or the name is unknown', async () => {
    for (const url of [`smtp://127.0.0.1:${await freePort()}`, 'smtp://no-such-host.invalid']) {
      expect(await failure(to(url).send(mail(), never))).not.toBeInstanceOf(MailRefusedError);
    }
  });

  it('is cut off by its signal though the server dribbles on', async () => {
    const dribbling = await dribble();
    const cut = new AbortController();
    const sending = failure(
      to(`smtp://127.0.0.1:${(dribbling.address() as AddressInfo).port}`).send(mail(), cut.signal),
    );
    await new Promise<void>((resolve) => dribbling.once('connection', () => resolve()));
    cut.abort();
    expect(await sending).toMatchObject({ name: 'AbortError' });
    dribbling.close();
  });

  it('gives user and password, and may be sent later when they are refused', async () => {
    const password = noteSecret('p:ss/w@rd%20-4711');
    const url = office.url.replace('//', `//us%40er:${encodeURIComponent(password)}@`);
    const seen: string[] = [];
    office.script = (stage, what) => (stage === 'auth' ? (seen.push(what), undefined) : undefined);
    await to(url).send(mail(), never);
    expect([seen, office.arrived[0]!.user]).toEqual([[`us@er:${password}`], 'us@er']);
    office.script = (stage) => (stage === 'auth' ? 535 : undefined);
    const error = await failure(to(url).send(mail(), never));
    expect(error).not.toBeInstanceOf(MailRefusedError);
    expect(error.message).not.toContain(password);
  });

  it('does not go to a server without TLS where TLS is required', async () => {
    const error = await failure(to(`${office.url}?requireTLS=true`).send(mail(), never));
    expect(error).not.toBeInstanceOf(MailRefusedError);
    expect(office.asked).toEqual([]);
  });
});

describe('TLS', () => {
  it.each([
    ['takes STARTTLS where it is offered, on loopback with any certificate', {}, ''],
    ['speaks TLS from the start by smtps:', { secure: true }, 's'],
  ])('%s', async (_, options, letter) => {
    const office = await PostOffice.open(options);
    await to(office.url.replace('smtp:', `smtp${letter}:`)).send(mail(), never);
    expect(office.arrived).toMatchObject([{ secure: true }]);
    await office.close();
  });

  it.each([
    ['smtp://mail.test', { port: 587, secure: false, requireTLS: false, checked: false }],
    ['smtp://mail.test:25/?requireTLS=true', { port: 25, secure: false, requireTLS: true, checked: true }],
    ['smtp://user:word@mail.test', { port: 587, secure: false, requireTLS: true, checked: true }],
    ['smtp://user:word@mail.test?ignoreTLS=true', { port: 587, secure: false, requireTLS: false, checked: false }],
    ['smtp://user:word@localhost', { port: 587, secure: false, requireTLS: false, checked: false }],
    ['smtp://user:word@[::1]:1025', { port: 1025, secure: false, requireTLS: false, checked: false }],
    ['smtp://user:word@127.0.0.1.evil.test', { port: 587, secure: false, requireTLS: true, checked: true }],
    ['smtps://user:word@mail.test', { port: 465, secure: true, requireTLS: false, checked: true }],
    ['smtps://mail.test?tls.rejectUnauthorized=false', { port: 465, secure: true, requireTLS: false, checked: false }],
  ])('is asked for as %s says', (url, { checked, ...expected }) => {
    expect(smtpOptions(url)).toMatchObject({ ...expected, tls: { rejectUnauthorized: checked } });
  });
});

/** A server that greets, and answers everything with one more line of an endless reply. */
async function dribble(): Promise<Server> {
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 50);
    socket.on('error', () => undefined).on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
