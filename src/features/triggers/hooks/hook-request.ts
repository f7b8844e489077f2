import { type IncomingHttpHeaders } from 'node:http';
import { formFields } from '../../../platform/http/inbound/form-fields.js';
import { type RequestTexts, withinLimits } from '../../runs/trigger-request.js';
import { headerOf } from './inbound-headers.js';

/**
 * Headers that no run shows: credentials, and those of one connection only (RFC 9110, 7.6.1). Headers that begin with
 * `proxy-` are left out, too.
 */
const LEFT_OUT = [
  'authorization',
  'cookie',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The headers and the query of a post as its run shows them, without the header of its signature. */
export function requestTextsOf(headers: IncomingHttpHeaders, query: string, signatureHeader: string): RequestTexts {
  const ofConnection = (headerOf(headers, 'connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  const leftOut = new Set([...LEFT_OUT, ...ofConnection, signatureHeader.toLowerCase()]);
  const shown = Object.keys(headers)
    .filter((name) => !leftOut.has(name) && !name.startsWith('proxy-'))
    .map((name) => [name, headerOf(headers, name)!] as const);
  return {
    headers: JSON.stringify(withinLimits(shown)),
    query: query === '' ? '{}' : JSON.stringify(formFields(new URLSearchParams(query))),
  };
}
