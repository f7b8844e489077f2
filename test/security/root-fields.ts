import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Things } from '../rest/openapi/sample-requests.js';

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** An argument that takes an id: where it stands in the variables, and what kind of thing it names. */
export interface IdPlace {
  path: string[];
  kind: string;
}

/** One root field with a document that asks it, and variables that it takes as far as its types tell. */
export interface RootField {
  operation: OperationKind;
  name: string;
  query: string;
  variables: Record<string, unknown>;
  ids: IdPlace[];
  /** Whether it gives a page: a foreign id there is a filter, which matches nothing. */
  isList: boolean;
}

/** What can't be told from an argument's name and type alone. */
const VALUES: Record<string, (things: Things) => Record<string, unknown>> = {
  createWorkflow: () => ({ input: { name: 'sample', status: 'DRAFT' } }),
  connectIntegration: () => ({ input: { type: 'sandbox_oauth' } }),
  reconnectIntegration: () => ({ credentials: { api_key: 'sandbox_valid_key' } }),
  createTrigger: ({ workflow }) => ({ input: { workflowId: workflow, type: 'MANUAL' } }),
  callApplication: ({ integration }) => ({ input: { integrationId: integration, path: '/me' } }),
  inviteUser: () => ({ email: 'invited@people.example' }),
  createWebhook: () => ({ input: { url: 'http://127.0.0.1:9/', events: ['run.failed'] } }),
  updateWebhook: () => ({ input: { events: ['run.failed'] } }),
  integrationType: () => ({ type: 'sandbox_oauth' }),
  runStatistics: () => ({ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }),
  cronPreview: () => ({ cron: '0 9 * * 1-5' }),
  nodes: ({ workflow }) => ({ ids: [workflow] }),
  redeliverWebhook: () => ({ input: { since: new Date().toISOString() } }),
  retryRuns: () => ({ status: 'FAILED' }),
  cancelRuns: () => ({ status: 'QUEUED' }),
  answerWait: () => ({ answer: { body: null } }),
  setWorkflowActions: () => ({ actions: [{ name: 'a', kind: 'DELAY', config: { seconds: 1 } }] }),
};

/** The kinds by the words that root fields are named with; the longer ones first. */
const KINDS = [
  'bulk',
  'wait',
  'delivery',
  'apiKey',
  'invitation',
  'webhook',
  'integration',
  'trigger',
  'run',
  'workflow',
  'user',
];

/** Every root field of the schema; new ones are included automatically. */
export function rootFields(schema: GraphQLSchema, things: Things): RootField[] {
  return (['query', 'mutation', 'subscription'] as const).flatMap((operation) =>
    Object.values(
      { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: schema.getSubscriptionType() }[
        operation
      ]!.getFields(),
    ).map((field) => describeField(operation, field, things)),
  );
}

/** A copy of the variables of a field with another id in one place. */
export function withId({ variables }: RootField, { path }: IdPlace, id: string): Record<string, unknown> {
  const copy = structuredClone(variables);
  const last = path.at(-1)!;
  const parent = path.slice(0, -1).reduce((inner, part) => (inner[part] ??= {}) as Record<string, unknown>, copy);
  parent[last] = id;
  return copy;
}

function describeField(operation: OperationKind, field: GraphQLField<unknown, unknown>, things: Things): RootField {
  const { name } = field;
  const variables = { ...requiredOf(field.args, name, things), ...VALUES[name]?.(things) };
  // Arguments with a default are left to it.
  const args = field.args.filter((arg) => arg.name in variables || idsIn(arg, [], name).length > 0);
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return {
    operation,
    name,
    query: `${operation} ${declared && `(${declared})`} { ${name}${passed && `(${passed})`}${selection} }`,
    variables,
    ids: args.flatMap((arg) => idsIn(arg, [arg.name], name)),
    isList: /(Page|Connection)$/.test(getNamedType(field.type).name),
  };
}

function idsIn(place: GraphQLArgument | GraphQLInputField, path: string[], field: string): IdPlace[] {
  const type = getNamedType(place.type);
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).flatMap((inner) => idsIn(inner, [...path, inner.name], field));
  }
  return type.name === 'ID' ? [{ path, kind: kindOf(place.name, field) }] : [];
}

function kindOf(argument: string, field: string): string {
  if (field === 'node' || field === 'nodes') return 'workflow';
  if (argument === 'after')
    return (
      { runStatusChanged: 'runChange', waitChanged: 'waitChange', events: 'event', eventOccurred: 'event' }[field] ??
      'change'
    );
  if (field === 'recentEvents') return 'event';
  if (argument === 'actor') return 'user';
  if (argument === 'resource') return 'workflow';
  if (argument !== 'id') return argument.replace(/Id$/, '');
  return KINDS.find((kind) => field.toLowerCase().includes(kind.toLowerCase())) ?? `unknown (${field}.id)`;
}

function requiredOf(fields: readonly (GraphQLArgument | GraphQLInputField)[], root: string, things: Things) {
  return Object.fromEntries(
    fields
      .filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
      .map(({ name, type }) => [name, valueOf(name, type, root, things)]),
  );
}

function valueOf(name: string, type: GraphQLInputType, root: string, things: Things): unknown {
  if (isNonNullType(type)) return valueOf(name, type.ofType, root, things);
  if (isListType(type)) return [];
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]!.name;
  if (isInputObjectType(named)) return requiredOf(Object.values(named.getFields()), root, things);
  if (named.name === 'ID') return things[kindOf(name, root)] ?? 'unknown_id';
  return { Int: 1, Boolean: true, JSONObject: {}, DateTime: '2030-01-01T00:00:00Z' }[named.name] ?? 'text';
}
