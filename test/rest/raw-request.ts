import { connect } from 'node:net';

/** One answer as it came over the wire; header names in lower case. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends exactly these bytes to a server and reads one answer: what `fetch` would refuse to send or would tidy up.
 * Rejects when the connection ends before the answer is whole.
 */
export async function rawRequest(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const answer = parseAnswer(text);
      if (answer === undefined) return;
      socket.destroy();
      resolve(answer);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`closed without an answer: ${text}`)));
  });
}

/** The lines of a request with `Host`, each ended by CRLF, and an empty line. */
export function head(requestLine: string, ...headers: string[]): string {
  return `${[`${requestLine} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
}

/** Undefined until the body is whole. */
function parseAnswer(text: string): RawAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine, ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return undefined;
  return { status: Number(statusLine!.split(' ')[1]), headers, body };
}
