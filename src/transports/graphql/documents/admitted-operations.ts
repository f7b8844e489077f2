import { type ServerResponse } from 'node:http';
import { type DocumentNode, type GraphQLError, OperationTypeNode } from 'graphql';
import { type LongWork } from '../../../platform/admission/long-work.js';
import { type RateLimits } from '../../../platform/admission/rate-limits.js';
import { currentWork, outlastClient } from '../../../platform/admission/work.js';
import { RequestContext } from '../../../platform/context.js';
import { accessOf, authorize } from '../../../platform/graphql/access.js';
import { type Slices, slicesFor } from '../../../platform/graphql/slices.js';
import { type Variables } from './amount.js';
import {
  type DocumentFacts,
  operationIn,
  type OperationFacts,
  valuesIn,
  variableBytesIn,
  weightIn,
} from './document-facts.js';
import { type Documents, isKnown } from './documents.js';
import { LONG_VARIABLES } from './type-faults.js';
import { sizeOf } from './variable-bytes.js';
import { admitDocument, type OperationRequest, weigh } from '../operation-request.js';

/** The context of an operation over HTTP, with its admitted document. */
export class OperationContext extends RequestContext {
  document: DocumentNode | undefined;
  /** The mutations named in the document. */
  mutations: ReadonlySet<string> = new Set();
  /** The mutations that the operation executes. */
  writes = 0;
  /** How many copies of its variables the uses of them make, beside those in the request. */
  copies = 0;
  /** The pace of the execution; undefined for a short one. */
  slices: Slices | undefined;
}

/** An execution of more values, which take 8 ms, is executed in slices. */
const SHORT_VALUES = 1_000;
/** The memory of a value in bytes: 70 for its place in the result, the rest for what its execution leaves behind. */
const VALUE_BYTES = 250;

/** Admits operations over HTTP: reads the document, checks permissions and charges the rate. */
export class AdmittedOperations {
  constructor(
    private readonly documents: Documents,
    private readonly deps: { rates: RateLimits; longWork: LongWork },
  ) {}

  /**
   * The errors for which an operation can't run; none if it is admitted. Charges its rate and sets the rate headers. A
   * request without a document passes: Apollo Server answers it.
   * @throws AppError `forbidden` where any operation of the document names a mutation that the caller may not call;
   * `rate_limited`.
   */
  async admit(
    context: OperationContext,
    response: ServerResponse,
    { query, operationName, variables }: OperationRequest,
  ): Promise<readonly GraphQLError[]> {
    if (typeof query !== 'string' || query === '') return [];
    const given = isObject(variables) ? variables : {};
    const newness = this.documents.newnessOf(query);
    await admitDocument(this.deps, context.caller, response, newness);
    const read = this.documents.read(context.accountId, query, given, operationName);
    if (!isKnown(read)) return read;
    const { document, facts } = read;
    authorizeMutations(context, facts);
    const operation = operationIn(facts, operationName);
    // Of the one that is executed: its document may name mutations beside it.
    const kind = operation?.node.operation === OperationTypeNode.MUTATION ? 'write' : 'read';
    if (kind === 'write') outlastClient();
    const weight = operation === undefined ? 1 : weightIn(operation, given);
    weigh(this.deps.rates, context.caller, response, { kind, weight, newness });
    context.document = document;
    context.mutations = facts.mutations;
    if (operation !== undefined && kind === 'write') {
      context.writes = operation.rootFields;
      context.copies = Math.max(0, variableBytesIn(operation, given) / sizeOf(given) - 1);
    }
    if (operation !== undefined) await this.prepare(context, valuesIn(operation, given));
    return this.faultsOfLong(context, operation, given);
  }

  /**
   * Waits for the turn of a result. Reserves memory for the values of a long one, and turns for their execution. @throws
   * AppError `rate_limited` after 5 s.
   */
  private async prepare(context: OperationContext, values: number): Promise<void> {
    await this.deps.longWork.results.take(context.accountId, values);
    if (values <= SHORT_VALUES) return;
    await currentWork().answer?.reserve(values * VALUE_BYTES);
    context.slices = slicesFor(this.deps.longWork, context.accountId);
  }

  /**
   * The first faults of long variables, in a turn of the account; none if they are short or right. Each use of a variable
   * in a mutation is validated and written.
   */
  private async faultsOfLong(
    { caller, copies }: OperationContext,
    operation: OperationFacts | undefined,
    given: Variables,
  ): Promise<readonly GraphQLError[]> {
    const bytes = sizeOf(given);
    const used = bytes * (1 + copies);
    if (used <= LONG_VARIABLES || operation === undefined) return [];
    await this.deps.longWork.piece(caller.accountId, used);
    return bytes <= LONG_VARIABLES ? [] : this.documents.faultsOfVariables(operation.node, given);
  }
}

function authorizeMutations({ caller }: RequestContext, { mutations }: DocumentFacts): void {
  for (const name of mutations) {
    const access = accessOf(name) ?? 'write';
    // For callers with write access the field itself reports that it needs a person.
    authorize(caller, access === 'person' ? 'write' : access);
  }
}

function isObject(value: unknown): value is Variables {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
