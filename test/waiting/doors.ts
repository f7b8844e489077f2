import { Agent, type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http';
import WebSocket from 'ws';

/** The target of a listener, and the version after which it resumes; without one it starts at the latest. */
export interface From {
  port: number;
  key: string;
  id: string;
  after: number | undefined;
}

/** The events of a connection. */
export interface Ear {
  /** The server has registered the listener, so that the next one may start. */
  attached: () => void;
  hear: (version: number) => void;
  /** Called once, with an error unless the connection merely broke. */
  lost: (fault?: string) => void;
}

/** Opens a connection. @returns the function that closes it. */
export type Door = (from: From, ear: Ear) => () => void;

const QUERY = `subscription ($id: ID!, $after: Int) {
  integrationStatusChanged(integrationId: $id, afterVersion: $after) { version integration { id name } } }`;

/** The version in a result. @throws Error for one that has errors. */
function versionIn({ data, errors }: any): number {
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.integrationStatusChanged.version as number;
}

export const overWebSocket: Door = ({ port, key, id, after }, ear) => {
  const socket = new WebSocket(`ws://localhost:${port}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false });
  const send = (message: object): void => socket.send(JSON.stringify(message));
  let fault: string | undefined;
  socket.on('open', () => send({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
  socket.on('message', (data: Buffer) => {
    const { type, payload } = JSON.parse(data.toString());
    if (type === 'connection_ack') {
      send({ id: '1', type: 'subscribe', payload: { query: QUERY, variables: { id, after } } });
      ear.attached();
    } else if (type === 'next') ear.hear(versionIn(payload));
    else if (type !== 'ping') fault = data.toString();
  });
  socket.on('error', () => undefined);
  socket.on('close', (code) => ear.lost(fault ?? (code === 1006 ? undefined : `closed with ${code}`)));
  return () => socket.terminate();
};

export const overSse: Door = ({ port, key, id, after }, ear) => {
  const asked = ask({ port, path: '/graphql/stream', method: 'POST', agent: false }, key, ear, (answer) => {
    let text = '';
    if (answer.statusCode === 200) ear.attached();
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      const events = (text + chunk).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const data = /^event: next\ndata: (.*)$/s.exec(event)?.[1];
        if (data !== undefined) ear.hear(versionIn(JSON.parse(data)));
      }
    });
    answer.on('end', () => ear.lost(`ended with ${answer.statusCode} ${text}`));
  });
  asked.end(JSON.stringify({ query: QUERY, variables: { id, after } }));
  return () => asked.destroy();
};

/** Requests again after each response. A response is the present state: versions passed in between are skipped. */
export const overWait: Door = ({ port, key, id, after }, ear) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const wait = (known: number | undefined): void => {
    const path = `/v1/integrations/${id}?wait=30${known === undefined ? '' : `&after_version=${known}`}`;
    const asked = ask({ port, path, agent }, key, ear, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        if (answer.statusCode !== 200) return ear.lost(`answered ${answer.statusCode} ${text}`);
        const { version, status } = JSON.parse(text);
        // Thirty seconds without a change.
        if (version !== known && status !== 'pending') ear.hear(version as number);
        wait(status === 'pending' ? known : version);
      });
    });
    asked.on('finish', ear.attached).end();
  };
  wait(after);
  return () => agent.destroy();
};

function ask(options: RequestOptions, key: string, ear: Ear, read: (answer: IncomingMessage) => void): ClientRequest {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const asked = request({ host: 'localhost', headers, ...options });
  asked.on('error', () => ear.lost());
  asked.on('response', (answer) => {
    answer.on('error', () => ear.lost());
    read(answer);
  });
  return asked;
}
