import { Readable } from 'node:stream';
import { type Database } from '../../../platform/db/database.js';
import { notFoundOrForeign } from '../../../platform/db/owned-rows.js';
import { AppError } from '../../../platform/errors.js';
import { type StreamedResponse } from '../../../platform/http/outbound/exchange.js';
import { type Outbound } from '../../../platform/http/outbound/outbound.js';
import { OutboundError } from '../../../platform/http/outbound/outbound-error.js';
import { textOf } from '../../../platform/http/outbound/outbound-response.js';
import { fromPublicId } from '../../../platform/ids/ids.js';
import { type AppAccess, type AppRequest } from '../tokens/app-access.js';
import { type AppAnswer } from '../tokens/call-budget.js';

/** The time for a request and its response, in milliseconds. */
export const PROXY_MS = 30_000;
/** The maximum of a response that is passed back, in bytes. */
export const MAX_PROXIED_ANSWER_BYTES = 25 * 1_048_576;

/** A request to pass on. */
export interface ProxiedRequest {
  accountId: string;
  integrationId: string;
  method: string;
  /** Path and query as they are written; empty for the base URL. */
  path: string;
  headersFor: (target: AppRequest) => Record<string, string | string[]>;
  /** A stream can be sent only once. */
  body: Uint8Array | Readable | undefined;
  /** How many runs in a row led to the request that is sent. */
  hops: number;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

interface Passed extends AppAnswer {
  response?: StreamedResponse;
  error?: OutboundError;
}

/** Passes requests on to connected applications as they are. */
export class ApplicationProxy {
  constructor(
    private readonly db: Database,
    private readonly access: AppAccess,
    private readonly outbound: Outbound,
  ) {}

  /**
   * Sends a request, and returns the response before its body. @throws OutboundError without a response; AppError as
   * `AppAccess.call` does, `unauthorized` for an integration of another account.
   */
  async open(request: ProxiedRequest): Promise<StreamedResponse> {
    const { accountId, integrationId, path, body, hops, signal } = request;
    const deadline = performance.now() + PROXY_MS;
    const target = { integrationId, path, isVerbatim: true, isRepeatable: !(body instanceof Readable) };
    let last: Passed | undefined;
    try {
      const caller = { accountId, hops, signal: AbortSignal.any([signal, AbortSignal.timeout(PROXY_MS)]) };
      const { response, error } = await this.access.call(caller, target, async (found) => {
        last = await this.send(request, found, Math.max(1, Math.ceil(deadline - performance.now())));
        return last;
      });
      if (response === undefined) throw error!;
      return response;
    } catch (error) {
      last?.close?.();
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      throw await notFoundOrForeign(this.db, 'integrations', fromPublicId('int', integrationId), accountId);
    }
  }

  private async send(
    { accountId, method, headersFor, body, signal }: ProxiedRequest,
    found: AppRequest,
    timeoutMs: number,
  ): Promise<Passed> {
    try {
      const response = await this.outbound.stream({
        url: found.url,
        method,
        headers: headersFor(found),
        body,
        timeoutMs,
        maxBytes: MAX_PROXIED_ANSWER_BYTES,
        trust: 'operator',
        account: accountId,
        signal,
      });
      const { status, fields, ended } = response;
      return { status, retryAfter: textOf(fields['retry-after']), ended, close: () => response.close(), response };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: undefined, error };
    }
  }
}
