import { type IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../../../platform/encryption/secrets.js';

/** Longer keys are stored as a digest, because the column is part of an index. */
const MAX_KEY = 255;

/** A header by its case-insensitive name. Repeated headers are joined by commas. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The deduplication key of a firing for a text: the text itself, or its SHA-256 if it is too long. */
export function keyOf(value: string): string {
  return value.length <= MAX_KEY ? value : `sha256:${sha256(value).toString('hex')}`;
}
