import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type Field, fieldsOf } from './protobuf.js';

/** A span as the collector received it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  /** Trace and span ids. */
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
  resource: Record<string, string | number | boolean>;
}

/** A collector that takes OTLP over HTTP (`http/protobuf`). */
export class Collector {
  readonly spans: CollectedSpan[] = [];
  /** All that was sent, as text: to look for what must not be there. */
  text = '';
  readonly headers: IncomingHttpHeaders[] = [];
  /** Requests since the start. */
  requests = 0;
  /** Answers nothing while true. */
  isSilent = false;
  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      this.requests += 1;
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.isSilent) return;
        const sent = Buffer.concat(chunks);
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        this.headers.push(request.headers);
        this.text += body.toString('latin1');
        if (request.url === '/v1/traces') this.spans.push(...spansIn(body));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
  }

  static async start(): Promise<Collector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Collector(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace. */
  trace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function spansIn(body: Buffer): CollectedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const facts = attributesIn(resource ?? [], 1);
    const all = messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2));
    return all.map((span) => spanOf(span, facts));
  });
}

function spanOf(span: Field[], resource: CollectedSpan['resource']): CollectedSpan {
  const [status = []] = messages(span, 15);
  return {
    traceId: bytes(span, 1).toString('hex'),
    spanId: bytes(span, 2).toString('hex'),
    parentId: bytes(span, 4).toString('hex'),
    name: bytes(span, 5).toString(),
    kind: number(span, 6),
    attributes: attributesIn(span, 9),
    links: messages(span, 13).map((link) => ({
      traceId: bytes(link, 1).toString('hex'),
      spanId: bytes(link, 2).toString('hex'),
    })),
    isFailed: number(status, 3) === 2,
    resource,
  };
}

function attributesIn(fields: Field[], place: number): CollectedSpan['attributes'] {
  return Object.fromEntries(
    messages(fields, place).map((pair) => {
      const [value = []] = messages(pair, 2);
      const [{ id, value: raw } = { id: 1, value: Buffer.alloc(0) }] = value;
      const read = Buffer.isBuffer(raw) ? raw.toString() : id === 2 ? raw === 1n : Number(raw);
      return [bytes(pair, 1).toString(), read];
    }),
  );
}

function messages(fields: Field[], id: number): Field[][] {
  return fields.flatMap((field) => (field.id === id && Buffer.isBuffer(field.value) ? [fieldsOf(field.value)] : []));
}

function bytes(fields: Field[], id: number): Buffer {
  const value = fields.find((field) => field.id === id)?.value;
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function number(fields: Field[], id: number): number {
  return Number(fields.find((field) => field.id === id)?.value ?? 0);
}
