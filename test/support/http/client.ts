import { RestDocument } from './rest-document.js';
import { noteAnswered, noteSent } from '../database/secrets.js';

const document = new RestDocument();

/** A response as tests see it, with its parsed body. */
export interface Answer<T = any> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client of one server with one key, or with headers for each request, over real HTTP. */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly key?: string,
    readonly always: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Sends a REST request below `/v1`. A body other than a string is sent as JSON. @throws Error for a response that
   * OpenAPI does not document.
   */
  async rest<T = any>(method: string, path: string, call: Call = {}): Promise<Answer<T>> {
    const answer = await this.send<T>(method, `/v1${path}`, call);
    const faults = document.faultsOf(method, path, answer);
    if (faults.length > 0) {
      throw new Error(`${method} /v1${path} is not as schema/openapi.json says: ${faults.join('; ')}.`);
    }
    return answer;
  }

  /** Sends a GraphQL operation over HTTP. */
  async graphql<T = any>(
    query: string,
    variables: Record<string, unknown> = {},
  ): Promise<Answer<{ data: T; errors?: any[] }>> {
    return this.send('POST', '/graphql', { body: { query, variables } });
  }

  /** Sends a request to any path of the server. */
  async send<T = any>(method: string, path: string, { body, headers = {} }: Call = {}): Promise<Answer<T>> {
    noteSent(typeof body === 'string' ? parse(body) : body);
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.always,
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answered = text === '' ? undefined : parse(text);
    noteAnswered(answered);
    return { status: response.status, headers: response.headers, body: answered as T };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
