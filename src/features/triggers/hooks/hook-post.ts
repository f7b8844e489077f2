import { type IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../platform/errors.js';
import { type Secrets } from '../../../platform/encryption/secrets.js';
import { type PostedFiring } from './store-firings.js';
import { type HookSettings, openHookSecret } from './hook-settings.js';
import { isSigned, SIGNATURE_HEADER } from './hook-signature.js';
import { hopsOf } from '../../../platform/http/inbound/hops.js';
import { requestTextsOf } from './hook-request.js';
import { headerOf, keyOf } from './inbound-headers.js';

/** One POST to an inbound hook, with a valid JSON body. */
export interface HookPost {
  /** SHA-256 of the token in the URL. */
  digest: Buffer;
  /** The raw body, for the signature. */
  body: Buffer;
  /** The body as a JSON text. */
  input: string;
  headers: IncomingHttpHeaders;
  /** The query of the URL, without the question mark. */
  query: string;
  /** The trace that began with it. */
  trace: string | undefined;
}

/**
 * Verifies the signature of a post. @throws AppError `unauthorized` if the hook requires one and it is missing or
 * wrong.
 */
export function demandSignature(
  { body, headers }: Pick<HookPost, 'body' | 'headers'>,
  settings: HookSettings,
  secrets: Secrets,
): void {
  const secret = openHookSecret(secrets, settings);
  const signature = headerOf(headers, settings.signatureHeader ?? SIGNATURE_HEADER);
  if (secret !== null && !isSigned(body, secret, signature)) {
    throw new AppError('unauthorized', 'The signature of the request is missing or wrong.');
  }
}

/** The firing of a post. @throws AppError as `demandSignature` does. */
export function firingOf(post: HookPost, settings: HookSettings, secrets: Secrets): PostedFiring {
  demandSignature(post, settings, secrets);
  const { input, headers, query } = post;
  const value = settings.dedupeHeader === null ? '' : (headerOf(headers, settings.dedupeHeader) ?? '');
  return {
    triggerUuid: settings.triggerUuid,
    input,
    request: requestTextsOf(headers, query, settings.signatureHeader ?? SIGNATURE_HEADER),
    key: value === '' ? null : keyOf(value),
    hops: hopsOf(headers),
    trace: post.trace ?? null,
  };
}
