import { type ServerResponse } from 'node:http';
import { MAX_IGNORED } from '../../json/unknown-names.js';

/** The most characters of a name in the header; a longer one is cut. */
const MAX_NAME_LENGTH = 100;
/** A token (RFC 9110, 5.6.2) without `%`, which begins an encoded byte. */
const TOKEN = /^[!#$&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The header `Ignored-Fields` of a response: the names in its request that have no effect, at most 20. It is set as
 * soon as a name is found, so that a refusal has it too.
 */
export class IgnoredFields {
  private readonly names: Set<string>;

  constructor(private readonly response: ServerResponse) {
    const header = response.getHeader('ignored-fields');
    this.names = new Set(typeof header === 'string' ? header.split(', ') : []);
  }

  add(name: string): void {
    if (this.isFull) return;
    this.names.add(headerName(name));
    this.response.setHeader('ignored-fields', [...this.names].join(', '));
  }

  get isFull(): boolean {
    return this.names.size >= MAX_IGNORED;
  }
}

/** Names in a response what had no effect. */
export function nameIgnored(response: ServerResponse, names: Iterable<string>): void {
  const ignored = new IgnoredFields(response);
  for (const name of names) ignored.add(name);
}

/** A name as a token: bytes of other characters are percent-encoded. */
function headerName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH && TOKEN.test(name)) return name;
  let token = '';
  for (const character of name) {
    const part = TOKEN.test(character) ? character : percentEncoded(character);
    if (token.length + part.length > MAX_NAME_LENGTH) break;
    token += part;
  }
  // An element of a list must not be empty (RFC 9110, 5.6.1).
  return token === '' ? '""' : token;
}

function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&');
}
