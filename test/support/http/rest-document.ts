import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { packageRoot } from '../../../src/platform/package-root.js';
import { type OpenApi } from '../../../src/transports/rest/openapi/document.js';

/** A response as received. */
export interface RestAnswer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The documentation of one operation. */
export interface DocumentedOperation {
  method: string;
  path: string;
  operationId: string;
  /** Every documented status. */
  statuses: number[];
}

const NAME = 'openapi.json';
/** The responses to requests without an operation. */
const BESIDE = ['unauthorized', 'not_found', 'method_not_allowed'];

/** The emitted OpenAPI document. Checks that responses match it and have no undocumented field. */
export class RestDocument {
  readonly document: OpenApi;
  readonly operations: readonly DocumentedOperation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.document = JSON.parse(readFileSync(join(packageRoot, 'schema', NAME), 'utf8')) as OpenApi;
    ajvFormats.default(this.ajv);
    this.ajv.addSchema(closed(this.document) as OpenApi, NAME);
    this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        method: method.toUpperCase(),
        path,
        operationId: operationId as string,
        statuses: Object.keys(responses as object).map(Number),
      })),
    );
  }

  /** The operation of a request; literal segments take precedence over parameters. `HEAD` is `GET`. */
  operationOf(method: string, path: string): DocumentedOperation | undefined {
    const segments = segmentsOf(path);
    const fits = (operation: DocumentedOperation): boolean => {
      const pattern = segmentsOf(operation.path);
      return (
        operation.method === (method === 'HEAD' ? 'GET' : method) &&
        pattern.length === segments.length &&
        pattern.every(
          (segment, index) => segment === segments[index] || (isParameter(segment) && segments[index] !== ''),
        )
      );
    };
    const parameters = ({ path: pattern }: DocumentedOperation): number =>
      segmentsOf(pattern).filter(isParameter).length;
    return this.operations.filter(fits).sort((a, b) => parameters(a) - parameters(b))[0];
  }

  /** The errors of a response: none when status, headers and body are documented. */
  faultsOf(method: string, path: string, answer: RestAnswer): string[] {
    const operation = this.operationOf(method, path);
    if (operation === undefined) return this.faultsBeside(answer);
    const pointer = `paths/${operation.path.replaceAll('~', '~0').replaceAll('/', '~1')}/${operation.method.toLowerCase()}/responses/${answer.status}`;
    if (!operation.statuses.includes(answer.status)) return [`${operation.operationId} does not name ${answer.status}`];
    const response = this.resolve(this.at(pointer));
    return [...this.faultsOfHeaders(response.value, answer), ...this.faultsOfBody(method, response, answer)];
  }

  private faultsBeside({ body }: RestAnswer): string[] {
    const code = (body as { code?: unknown } | undefined)?.code;
    if (body === undefined || BESIDE.includes(String(code))) return [];
    return [`a path that is not documented was answered with ${JSON.stringify(body)}`];
  }

  private faultsOfHeaders(response: any, { headers }: RestAnswer): string[] {
    return Object.entries<any>(response.headers).flatMap(([name, reference]) => {
      const { value: header } = this.resolve({ pointer: '', value: reference });
      const text = headers.get(name);
      if (text === null) return header.required ? [`the header ${name} is missing`] : [];
      const value = header.schema.type === 'integer' ? Number(text) : text;
      return this.ajv.validate(header.schema as object, value) ? [] : [`the header ${name} is "${text}"`];
    });
  }

  private faultsOfBody(method: string, response: Located, { headers, body }: RestAnswer): string[] {
    const media = response.value.content?.['application/json'];
    if (media === undefined || method === 'HEAD') return body === undefined ? [] : ['there is a body'];
    if (!headers.get('content-type')?.startsWith('application/json')) return ['the body does not say that it is JSON'];
    return this.faultsOfValue(`${response.pointer}/content/application~1json/schema`, body);
  }

  /** The errors of a value by the schema at a JSON pointer into the document, e.g. `components/schemas/Error`. */
  faultsOfValue(pointer: string, value: unknown): string[] {
    let validate = this.compiled.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `${NAME}#/${encodeURI(pointer)}` });
      this.compiled.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  private at(pointer: string): Located {
    const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { pointer, value: keys.reduce<any>((value, key) => value[key], this.document) };
  }

  private resolve(located: Located): Located {
    const { $ref } = located.value as { $ref?: string };
    return $ref === undefined ? located : this.at($ref.slice('#/'.length));
  }
}

/**
 * A copy whose objects take no other properties than their own. The published ones are open, so that a new field breaks
 * no client; here an undocumented one is a fault, but for configs, which say that they keep every key. A part of an `allOf` stays open: its neighbours have properties too.
 */
function closed(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner, key === 'allOf')]));
  const isObject = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isObject && !isPart ? { ...copy, additionalProperties: false } : copy;
}

interface Located {
  pointer: string;
  value: any;
}

function segmentsOf(path: string): string[] {
  return path.split('?', 1)[0]!.replace(/\/$/, '').split('/').map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
