import { type ServerResponse } from 'node:http';
import { getOperationAST, OperationTypeNode } from 'graphql';
import { IgnoredFields } from '../../platform/http/inbound/ignored-fields.js';
import { exactValueOf, type InboundRequest } from '../../platform/http/inbound/inbound-body.js';
import { canonicalJson } from '../../platform/json/canonical-json.js';
import { ANSWER_BYTES } from '../../platform/admission/responses/answer-too-large.js';
import { LONG_BYTES, type LongWork } from '../../platform/admission/long-work.js';
import { currentWork } from '../../platform/admission/work.js';
import { hasCalled } from '../../platform/db/transaction-context.js';
import { MAX_KEPT_BYTES, repeaterOf, type Repetition } from '../../platform/repetition.js';
import { type OperationContext } from './documents/admitted-operations.js';
import { type OperationRequest } from './operation-request.js';

/** An executed operation, ready to be sent. */
export interface Executed {
  status: number;
  headers: readonly (readonly [string, string])[];
  text: string;
  /** The names of the request that had no effect. */
  ignored?: readonly string[];
}

/** Mutations whose response has an API key, which is stored nowhere. */
export const UNREPEATABLE: ReadonlySet<string> = new Set(['createApiKey', 'rotateApiKey']);

/** A response with errors: everything that the operation has done is undone. */
class Undone extends Error {
  constructor(readonly executed: Executed) {
    super('The operation has failed.');
  }
}

/**
 * `Idempotency-Key` for mutations over HTTP, as over REST. The fields of one document take effect together or not at
 * all, because a repetition of a request that did half of its work would do that half again.
 */
export class RepeatableMutations {
  constructor(
    private readonly repetition: Repetition,
    private readonly longWork: LongWork,
  ) {}

  /**
   * Executes an operation, or returns the stored response of the first time. The key has no effect on anything but a
   * mutation, which `Ignored-Fields` says. @throws AppError as `Repetition.once` does.
   */
  async execute(
    request: InboundRequest,
    response: ServerResponse,
    { operation, bytes }: { operation: OperationRequest; bytes: Buffer },
    context: OperationContext,
    perform: () => Promise<Executed>,
  ): Promise<Executed> {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return perform();
    if (request.method !== 'POST' || !isRepeatable(operation, context)) {
      new IgnoredFields(response).add('Idempotency-Key');
      return perform();
    }
    const { accountId, caller } = context;
    const { query, variables = {}, operationName = null } = exactValueOf({ bytes }) as OperationRequest;
    const body = canonicalJson({ query, variables, operationName });
    const repeater = repeaterOf(caller);
    const work = async () => {
      // A response too large to keep is refused before its JSON is written.
      currentWork().answer?.keepWithin(() => (hasCalled() ? ANSWER_BYTES : MAX_KEPT_BYTES));
      const executed = await perform();
      if (hasErrors(executed)) throw new Undone(executed);
      const { text, ...head } = executed;
      return { status: executed.status, body: { ...head, ignored: [...context.ignoredNames] }, text };
    };
    try {
      const kept = await this.repetition.once({ accountId, repeater, key: String(key), path: '/graphql', body }, work);
      // Earlier versions stored the text in the body.
      const head = kept.body as Executed;
      const executed = { ...head, text: kept.text ?? head.text };
      if (kept.replayed) response.setHeader('idempotent-replayed', 'true');
      for (const name of executed.ignored ?? []) context.ignoredNames.add(name);
      return executed;
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      const { length } = error.executed.text;
      if (length > LONG_BYTES) await this.longWork.turn(accountId);
      return withoutData(error.executed);
    }
  }
}

function isRepeatable({ operationName }: OperationRequest, { document, mutations }: OperationContext): boolean {
  if (document === undefined || [...mutations].some((name) => UNREPEATABLE.has(name))) return false;
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  return operation?.operation === OperationTypeNode.MUTATION;
}

/** Apollo writes the errors first. The text may be too long to parse it for that. */
function hasErrors({ text }: Executed): boolean {
  return !text.startsWith('{"data":');
}

function withoutData(executed: Executed): Executed {
  const result = JSON.parse(executed.text) as object;
  const headers = executed.headers.filter(([name]) => name !== 'content-length');
  return { ...executed, headers, text: JSON.stringify({ ...result, ...('data' in result && { data: null }) }) };
}
