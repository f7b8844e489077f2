import { connect } from 'node:net';

/** What came of bytes on a connection of their own. */
export interface Exchange {
  /** Of the answers, in order, without 1xx. */
  statuses: number[];
  text: string;
  /** True when the server closed the connection. */
  closed: boolean;
}

const STATUS_LINE = /HTTP\/1\.1 ([2-5]\d\d) /g;

/**
 * Sends exactly these bytes and listens until so many answers have begun, or the server closes. A connection that is
 * neither answered nor closed lets the test run into its own end.
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
    // A server that refuses before all was sent resets the connection.
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}
