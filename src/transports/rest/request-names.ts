import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type ErrorDetail, MAX_DETAILS } from '../../platform/errors.js';
import { faultsOfNames } from '../../platform/json/unknown-names.js';
import { type Operation } from './documents.js';
import { type ConfigsByKind, type GivenNames, namesIn, namesInConfig } from './given-names.js';
import { IgnoredFields } from '../../platform/http/inbound/ignored-fields.js';
import { takesIdempotencyKey } from './routes.js';

type Given = Readonly<Record<string, unknown>>;

/**
 * The names in a request that its operation does not know: the header `Ignored-Fields` lists them, and `faults` has those
 * that refuse the request. The features refuse the names in configs, on every transport.
 */
export class RequestNames {
  readonly faults: ErrorDetail[] = [];
  private readonly ignored: IgnoredFields;

  constructor(
    response: ServerResponse,
    private readonly operation: Operation,
    private readonly configs: ConfigsByKind,
    /** Whether every unknown name is a fault, not only one that is near a known name. */
    private readonly strict: boolean,
  ) {
    this.ignored = new IgnoredFields(response);
  }

  /** Looks at the headers and the query. */
  ofAddress(request: IncomingMessage, query: URLSearchParams): void {
    const { route, fields } = this.operation;
    for (const names of namesIn(Object.fromEntries(query), route.method === 'GET' ? fields : [], this.configs)) {
      this.note(names);
    }
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const name of query.keys()) (seen.has(name) ? repeated : seen).add(name);
    for (const field of repeated) this.faults.push({ field, message: 'must not be given more than once' });
    if (request.headers['if-match'] !== undefined && !this.operation.takesIfMatch) {
      this.faults.push({ field: 'If-Match', message: 'is not supported by this request' });
    }
    if (request.headers['if-none-match'] !== undefined && route.method !== 'GET') {
      this.faults.push({ field: 'If-None-Match', message: 'is not supported by this request' });
    }
    const isRepeated = request.headers['idempotency-key'] !== undefined;
    if (isRepeated && route.method !== 'GET' && !takesIdempotencyKey(route)) this.ignored.add('Idempotency-Key');
  }

  ofBody(body: Given): void {
    for (const names of namesIn(body, this.operation.fields, this.configs)) this.note(names);
  }

  /** Looks at a config whose kind the request does not have, but the response: that of a trigger. */
  ofChangedConfig(body: Given, answer: Given): void {
    const fields = this.operation.fields.map(({ name }) => name);
    if (!fields.includes('config') || fields.includes('type')) return;
    for (const names of namesInConfig(body.config, answer.type, this.configs)) this.ignore(names);
  }

  /** Notes the names that are not known, with their paths: `actions.0.nmae`. */
  private ignore({ at, given, known }: GivenNames): void {
    for (const name of given) {
      if (this.ignored.isFull) return;
      if (!known.includes(name)) this.ignored.add(at + name);
    }
  }

  private note(names: GivenNames): void {
    this.ignore(names);
    if (names.isConfig || this.faults.length >= MAX_DETAILS) return;
    this.faults.push(...faultsOfNames(names.given, names.known, names.at, this.strict));
  }
}
