import { type HttpRequest } from '../load/http.js';
import { type Seed } from '../seed.js';

/** Who answers a contender's requests: our service, the limit server, or another build of the service. */
export type ServerName = 'service' | 'limit' | 'other';

/** Requests that are measured together, in turns with the other contenders of their scenario. */
export interface Contender {
  on: ServerName;
  requests: readonly HttpRequest[];
  /** The status of every answer. */
  status: number;
  /**
   * The body of an answer in the form in which all contenders of the scenario must agree before anything is measured.
   * Undefined for one that answers something else.
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

/** Contenders that take turns, each known by the word that `--only` and profiles name. */
export interface Scenario {
  name: string;
  connections: number;
  contenders: Readonly<Record<string, Contender>>;
  comparisons: readonly Comparison[];
}

/** Makes a scenario of what the database was seeded with. */
export type DefineScenario = (seed: Seed) => Scenario;

/** Connections of a scenario unless it says otherwise. */
export const CONNECTIONS = 32;

/** A body that must be the same, byte for byte. */
export function exactly(body: string): string {
  return body;
}

/** What each answer has for itself, ids and moments, made the same. */
export function withoutOwn(body: string): string {
  return body
    .replace(/"(wf|run)_[0-9a-z]{26}"/g, '"$1_…"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"(moment)"');
}

/** A GraphQL request over HTTP. */
export function graphql(key: string, query: string, variables: Record<string, unknown>): HttpRequest {
  return { method: 'POST', path: '/graphql', key, body: JSON.stringify({ query, variables }) };
}

/** A value of a GraphQL answer as REST writes it: names in snake_case, enums in lower case, no null description. */
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

/** The root field of a GraphQL answer, as the body that REST would send. */
export function rootField(name: string): (body: string) => string {
  return (body) => {
    const { data } = JSON.parse(body) as { data?: Record<string, unknown> };
    return data === undefined ? body : JSON.stringify(asRest(data[name]));
  };
}
