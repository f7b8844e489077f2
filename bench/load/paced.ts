import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.js';
import { bytesOf, type HttpRequest } from './http.js';

/** Requests at a steady rate, independent of response times. */
export interface Pace {
  port: number;
  requests: readonly HttpRequest[];
  /** The required status of every response. */
  status: number;
  perSecond: number;
  seconds: number;
}

/** Sends the requests in turn, each at its time. @throws Error with the first wrong response. */
export async function pace({ port, requests, status, perSecond, seconds }: Pace): Promise<void> {
  const bytes = requests.map(bytesOf);
  const idle: Connection[] = [];
  const all: Connection[] = [];
  const answers: Promise<void>[] = [];
  const send = async (request: Buffer): Promise<void> => {
    const connection = idle.pop() ?? new Connection(port);
    if (!all.includes(connection)) all.push(connection);
    const answer = await connection.send(request);
    if (answer.status !== status) throw new Error(`Expected ${status}, but got ${answer.text()}`);
    idle.push(connection);
  };
  const started = performance.now();
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const due = started + (sent * 1_000) / perSecond;
    if (due > performance.now()) await sleep(Math.ceil(due - performance.now()));
    answers.push(send(bytes[sent % bytes.length]!));
  }
  await Promise.all(answers).finally(() => all.forEach((connection) => connection.close()));
}
