import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

/** A delivery as its receiver got it. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (received: Received, response: ServerResponse) => void;

/** Answers with a status and an empty body. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(code, headers).end();

/** A receiver of webhooks on loopback. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = status(204);

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const received = { path, headers, body: Buffer.concat(chunks).toString() };
        this.received.push(received);
        this.answer(received, response);
      });
    });
  }

  static async open(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  /** @param host another name of this machine, as which it counts for itself. */
  url(path = '/', host = '127.0.0.1'): string {
    return `http://${host}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((received) => received.path === path);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Whether a delivery has a signature by this secret, at whatever time it was sent. */
export function isSignedBy(secret: string, { body, headers }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signature = new Verifier(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(signature);
}

/** The event of a delivery whose signature the library accepts. @throws its WebhookVerificationError. */
export function verified({ body, headers }: Received, secret: string): any {
  return new Verifier(secret).verify(body, headers as Record<string, string>);
}

/** The name of the message, the same each time that it is sent. */
export function messageId({ headers }: Received): string {
  return String(headers['webhook-id']);
}
