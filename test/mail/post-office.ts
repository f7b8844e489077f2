import { type AddressInfo } from 'node:net';
import { type ParsedHead, parseHead } from './parse-head.js';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A mail as a server received it. */
export interface Arrived extends ParsedHead {
  from: string;
  to: string[];
  /** Head and body as they came. */
  raw: string;
  secure: boolean;
  user: unknown;
}

type Stage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';
/** What a server says at a stage: undefined agrees, a status refuses, `hang` never answers. */
export type Script = (stage: Stage, what: string) => number | 'hang' | undefined;

/** A real SMTP server on loopback with configurable responses. */
export class PostOffice {
  readonly arrived: Arrived[] = [];
  /** Every address that was named in RCPT TO. */
  readonly asked: string[] = [];
  script: Script = () => undefined;
  /** Called with a mail before its arrival is answered. */
  onArrival: (mail: Arrived) => unknown = () => undefined;
  private readonly server: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    this.server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 50,
      logger: false,
      onConnect: (_, done) => this.answer('connect', '', done),
      onAuth: ({ username = '', password = '' }, _, done) =>
        this.answer('auth', `${username}:${password}`, (error) => done(error, { user: username })),
      onMailFrom: ({ address }, _, done) => this.answer('mail', address, done),
      onRcptTo: ({ address }, _, done) => {
        this.asked.push(address);
        this.answer('rcpt', address, done);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => this.take(Buffer.concat(chunks).toString(), session, done));
      },
      ...options,
    });
    // Clients hang up as they like.
    this.server.on('error', () => undefined);
  }

  static async open(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }): Promise<PostOffice> {
    const office = new PostOffice(options);
    await new Promise<void>((resolve) => office.server.listen(0, '127.0.0.1', resolve));
    return office;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  reset(): void {
    this.arrived.length = this.asked.length = 0;
    this.script = () => undefined;
    this.onArrival = () => undefined;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private take(raw: string, session: SMTPServerSession, done: (error?: Error | null) => void): void {
    const { mailFrom, rcptTo } = session.envelope;
    const mail: Arrived = {
      ...parseHead(raw),
      from: mailFrom ? mailFrom.address : '',
      to: rcptTo.map(({ address }) => address),
      raw,
      secure: session.secure,
      user: session.user,
    };
    this.answer('data', raw, (error) => {
      if (error) return done(error);
      this.arrived.push(mail);
      void Promise.resolve(this.onArrival(mail)).then(() => done());
    });
  }

  private answer(stage: Stage, what: string, done: (error?: Error | null) => void): void {
    const said = this.script(stage, what);
    if (said === 'hang') return;
    if (said === undefined) done();
    else done(Object.assign(new Error(`says ${said} at ${stage}`), { responseCode: said }));
  }
}
