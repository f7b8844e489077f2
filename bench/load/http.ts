import { Connection } from './connection.js';

/** A request that is sent over and over. */
export interface HttpRequest {
  method: string;
  path: string;
  key?: string;
  body?: string;
}

/** The requests and their duration; all connections take the requests in turn. */
export interface Drive {
  port: number;
  requests: readonly HttpRequest[];
  /** The required status of every response. */
  status: number;
  connections: number;
  milliseconds: number;
}

/** The result. `seconds` is the time from the first request to the last response. */
export interface Driven {
  answers: number;
  seconds: number;
}

/**
 * Keeps all connections busy for a time, then waits for running requests. @throws Error with the first wrong response.
 */
export async function drive({ port, requests, status, connections, milliseconds }: Drive): Promise<Driven> {
  const bytes = requests.map(bytesOf);
  const started = performance.now();
  let sent = 0;
  const worker = async (): Promise<void> => {
    const connection = new Connection(port);
    try {
      while (performance.now() - started < milliseconds) {
        const answer = await connection.send(bytes[sent++ % bytes.length]!);
        if (answer.status !== status) throw new Error(`Expected ${status}, but got ${answer.text()}`);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return { answers: sent, seconds: (performance.now() - started) / 1_000 };
}

/** The bytes of a request on the wire. */
export function bytesOf({ method, path, key, body }: HttpRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
