import { connect } from 'node:net';

/** The outcome of raw bytes on a separate connection. */
export interface Exchange {
  /** The statuses of the responses, in order, without 1xx. */
  statuses: number[];
  text: string;
  /** True when the server closed the connection. */
  closed: boolean;
}

const STATUS_LINE = /HTTP\/1\.1 ([2-5]\d\d) /g;

/**
 * Sends exactly these bytes and reads until this many responses have started, or the server closes. With neither, the
 * test runs into its own timeout.
 */
export async function exchange(baseUrl: string, bytes: string | Buffer, answers = 1): Promise<Exchange> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const statuses = () => [...text.matchAll(STATUS_LINE)].map(([, status]) => Number(status));
    const end = (closed: boolean): void => {
      resolve({ statuses: statuses(), text, closed });
      socket.destroy();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (statuses().length >= answers && text.includes('\r\n\r\n')) end(false);
    });
    // A server that refuses before everything was sent resets the connection.
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}
