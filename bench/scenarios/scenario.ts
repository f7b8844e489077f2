import { type HttpRequest } from '../load/http.js';
import { type Seed } from '../seed.js';

/** The server of a contender: this build of the service, the limit server, or another build. */
export type ServerName = 'service' | 'limit' | 'other';

/** Requests that are measured together, in turn with the other contenders of their scenario. */
export interface Contender {
  on: ServerName;
  requests: readonly HttpRequest[];
  /** The required status of every response. */
  status: number;
  /**
   * The body of a response in a form that must be the same for all contenders. Undefined for a contender with other
   * responses.
   */
  comparable: ((body: string) => string) | undefined;
}

/** A row of the report: requests per second of one contender, divided by another's. */
export interface Comparison {
  title: string;
  of: string;
  to: string;
  target: number;
}

/** Contenders that take turns, each under the name used by `--only` and profiles. */
export interface Scenario {
  name: string;
  connections: number;
  contenders: Readonly<Record<string, Contender>>;
  comparisons: readonly Comparison[];
}

/** Creates a scenario from the seeded data. */
export type DefineScenario = (seed: Seed) => Scenario;

/** The default number of connections of a scenario. */
export const CONNECTIONS = 32;

/** For bodies that must be equal byte for byte. */
export function exactly(body: string): string {
  return body;
}

/** Replaces ids and times, which differ between responses. */
export function withoutOwn(body: string): string {
  return body
    .replace(/"(wf|run)_[0-9a-z]{26}"/g, '"$1_…"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"(moment)"');
}

/** A GraphQL request over HTTP. */
export function graphql(key: string, query: string, variables: Record<string, unknown>): HttpRequest {
  return { method: 'POST', path: '/graphql', key, body: JSON.stringify({ query, variables }) };
}

/** Converts a value of a GraphQL response to REST: names in snake_case, enums in lower case, no null description. */
function asRest(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRest);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => name !== 'description' || inner !== null)
      .map(([name, inner]) => [
        name === 'items' ? 'data' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        name === 'status' ? (inner as string).toLowerCase() : asRest(inner),
      ]),
  );
}

/** The root field of a GraphQL response, as the body that REST would send. */
export function rootField(name: string): (body: string) => string {
  return (body) => {
    const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
    return data === undefined ? body : JSON.stringify(asRest(data[name]));
  };
}
