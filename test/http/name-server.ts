import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

const TYPES = { A: 1, AAAA: 28 } as const;
type Type = keyof typeof TYPES;

/** The answer for a name; `hang`: none. Names that are not in the table do not exist. */
export type Zone = Record<string, readonly string[] | 'hang' | { A: readonly string[] | 'hang'; AAAA: 'hang' }>;

/** A DNS server (RFC 1035) on 127.0.0.1 and a free port, over UDP. */
export class NameServer {
  /** Queried names, in order; each querying socket counts once. */
  readonly asked: string[] = [];
  private readonly seen = new Set<string>();

  private constructor(
    private readonly socket: Socket,
    readonly zone: Zone,
  ) {
    socket.on('message', (query, from) => this.take(query, from));
  }

  static async start(zone: Zone): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, zone);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private take(query: Buffer, from: RemoteInfo): void {
    const { name, type, end } = questionOf(query);
    if (type === undefined) return;
    // The query for the other address family, and repeated ones, come from the same socket.
    if (!this.seen.has(`${from.port} ${name}`)) this.asked.push(name);
    this.seen.add(`${from.port} ${name}`);
    const entry = this.zone[name];
    const answer = entry === undefined || entry === 'hang' || 'length' in entry ? entry : entry[type];
    if (answer === 'hang') return;
    const records = (answer ?? []).filter((address) => (isIP(address) === 6) === (type === 'AAAA'));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answer === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    const message = Buffer.concat([header, query.subarray(12, end), ...records.map((one) => record(one, TYPES[type]))]);
    this.socket.send(message, from.port, from.address);
  }
}

function questionOf(query: Buffer): { name: string; type: Type | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = query.readUInt16BE(at + 1);
  const type = number === TYPES.A ? 'A' : number === TYPES.AAAA ? 'AAAA' : undefined;
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

/** For the name of the question, by a pointer to it; not to be kept. */
function record(address: string, type: number): Buffer {
  const data =
    type === TYPES.A ? Buffer.from(address.split('.').map(Number)) : Buffer.from(expanded(address).join(''), 'hex');
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** The eight groups of an IPv6 address in full. */
function expanded(address: string): string[] {
  const [left = '', right] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => group.padStart(4, '0')));
  const [before, after] = [groups(left), groups(right ?? '')];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0000'), ...after];
}
