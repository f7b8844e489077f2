import { Field, Int, ObjectType } from 'type-graphql';
import { type OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { wordList } from '../../../platform/word-list.js';

/** Why a try got no response. */
export const TRY_ERRORS = {
  timeout: 'No complete response arrived in time.',
  refused: 'The host refused the connection.',
  dns: 'The name of the host could not be resolved.',
  tls: 'The connection could not be encrypted, e.g. because of its certificate.',
  blocked: 'The host is in a private or reserved network, and ALLOW_PRIVATE_NETWORK is off.',
  network: 'The connection was lost, or the response was no valid HTTP.',
  internal: 'This service failed, e.g. because its process died.',
} as const;

export type TryError = keyof typeof TRY_ERRORS;

/** A try as it is stored. */
export interface StoredTry {
  at: Date;
  responseStatus: number | null;
  error: TryError | null;
  /** Null if it is not known: the process died. */
  durationMs: number | null;
}

@ObjectType({ description: 'One try to send a delivery.', simpleResolvers: true })
export class WebhookTry implements StoredTry {
  @Field(() => DateTime, { description: 'When it began.' })
  at: Date;

  @Field(() => Int, { nullable: true, description: 'The HTTP status of the response; null without a response.' })
  responseStatus: number | null;

  @Field(() => String, {
    nullable: true,
    description: `Why there was no response; null with one.\n\n${wordList(TRY_ERRORS)}`,
  })
  error: TryError | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How long it took, in milliseconds; null if the process died meanwhile.',
  })
  durationMs: number | null;
}

/** A try that this service failed to make or to save; `at`: when that was noticed. */
export function failedHere(at: Date): StoredTry {
  return { at, responseStatus: null, error: 'internal', durationMs: null };
}

/** Codes of c-ares and getaddrinfo. */
const DNS_CODE = /^(?:EAI_\w+|ENOTFOUND|ENODATA|EFORMERR|ESERVFAIL|ENOTIMP|EREFUSED|EBADNAME|EBADRESP|ENONAME)$/;
/** Codes of Node and OpenSSL. */
const TLS_CODE = /^(?:ERR_(?:TLS|SSL)_\w+|EPROTO|CERT_\w+|\w*(?:SELF_SIGNED|CERTIFICATE|CRL)\w*|UNABLE_TO_\w+)$/;

/** The word for a call that got no response. */
export function tryError({ reason, detail = '' }: OutboundError): TryError {
  if (reason === 'timeout' || reason === 'blocked') return reason;
  if (detail === 'ECONNREFUSED') return 'refused';
  if (DNS_CODE.test(detail)) return 'dns';
  return TLS_CODE.test(detail) ? 'tls' : 'network';
}
