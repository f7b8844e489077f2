import {
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  getNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { type BreakingChange, type OpenApi, restChanges } from './rest-changes.js';

/** The two documents that a release promises, as `npm run emit` writes them. */
export interface Api {
  /** The GraphQL schema as SDL. */
  schema: string;
  /** The OpenAPI document as JSON. */
  openApi: string;
}

/** What clients of `before` can no longer do with `after`. */
export function breakingChanges(before: Api, after: Api): BreakingChange[] {
  const schemas = [buildSchema(before.schema), buildSchema(after.schema)] as const;
  const rest = restChanges(JSON.parse(before.openApi) as OpenApi, JSON.parse(after.openApi) as OpenApi);
  return [...[...findBreakingChanges(...schemas), ...newValues(...schemas)].map(inGraphql), ...rest];
}

/** New values of enums that clients get: one that decides by all values does not know what to do. */
function newValues(before: GraphQLSchema, after: GraphQLSchema): { description: string }[] {
  return findDangerousChanges(before, after).filter(
    ({ type, description }) =>
      type === DangerousChangeType.VALUE_ADDED_TO_ENUM && isGiven(after, inGraphql({ description }).subject),
  );
}

/** Whether a field of an object has the type. */
function isGiven(schema: GraphQLSchema, name: string): boolean {
  return Object.values(schema.getTypeMap()).some(
    (type) =>
      (isObjectType(type) || isInterfaceType(type)) &&
      Object.values(type.getFields()).some((field) => getNamedType(field.type).name === name),
  );
}

/** The changes that no line `BREAKING: <subject>` of the text names. */
export function unnamed(changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const named = new Set(
    [...changelog.matchAll(/^(?:- )?BREAKING: `?((?:[A-Z]+ (?=\/))?[^`\s]+)/gm)].map(([, name]) =>
      name!.replace(/[:.,;]$/, ''),
    ),
  );
  return changes.filter(({ subject }) => !named.has(subject));
}

/** The names in sentences of graphql-js: `Query.runs arg page has changed type …`, `ARCHIVED was removed from enum type WorkflowStatus.` */
const SUBJECTS = [/\b\w+\.\w+/, /(?<=\b(?:enum|union|input|interface|object) type )\w+/, /\b[A-Z]\w+/];

function inGraphql({ description }: { description: string }): BreakingChange {
  const subject = SUBJECTS.map((names) => names.exec(description)?.[0]).find((name) => name !== undefined);
  return { subject: subject ?? description, description };
}
