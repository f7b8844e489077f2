/** What a test looks at in a message. */
export interface ParsedHead {
  /** Unfolded headers by name in lower case; of repeated ones the last. */
  headers: Record<string, string>;
  subject: string;
}

/** The headers of a message (RFC 5322), with its subject decoded (RFC 2047). */
export function parseHead(raw: string): ParsedHead {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, subject: decoded(headers.subject ?? '') };
}

/** A body in quoted-printable, and the rest of the message, as one text. */
export function readable(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decoded(header: string): string {
  return header
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString('utf8') : readable(text.replaceAll('_', ' ')),
    );
}
