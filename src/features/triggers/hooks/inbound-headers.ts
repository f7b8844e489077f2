import { type IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../../../platform/encryption/secrets.js';

/** Longer ones are stored as their digest; the column is part of a key. */
const MAX_KEY = 255;

/** A header by its name in any case; several of one name as one, joined by commas. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** A text as the key of a firing: itself, or its SHA-256 where it is too long for that. */
export function keyOf(value: string): string {
  return value.length <= MAX_KEY ? value : `sha256:${sha256(value).toString('hex')}`;
}
