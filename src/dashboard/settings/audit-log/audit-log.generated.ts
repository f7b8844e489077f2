/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { AuditActorKind } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type AuditLogQueryVariables = Exact<{
  page: number;
  perPage: number;
  actor?: string | null | undefined;
  action?: string | null | undefined;
  resource?: string | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { items: Array<{ id: string, at: string, action: string, address: string | null, before: Record<string, unknown> | null, after: Record<string, unknown> | null, actor: { kind: AuditActorKind, id: string | null, name: string | null }, resource: { type: string, id: string, name: string | null } }>, meta: { page: number, perPage: number, total: number } } };

export type AuditExportQueryVariables = Exact<{
  after?: string | null | undefined;
  actor?: string | null | undefined;
  action?: string | null | undefined;
  resource?: string | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
}>;


export type AuditExportQuery = { auditLogConnection: { edges: Array<{ node: { id: string, at: string, action: string, address: string | null, before: Record<string, unknown> | null, after: Record<string, unknown> | null, actor: { kind: AuditActorKind, id: string | null, name: string | null }, resource: { type: string, id: string, name: string | null } } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type AuditActorsQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditActorsQuery = { users: { items: Array<{ id: string, name: string }> }, apiKeys: { items: Array<{ id: string, label: string }> } };

export type AuditEntryFactsFragment = { id: string, at: string, action: string, address: string | null, before: Record<string, unknown> | null, after: Record<string, unknown> | null, actor: { kind: AuditActorKind, id: string | null, name: string | null }, resource: { type: string, id: string, name: string | null } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const AuditLogDocument = "query AuditLog($page:Int!$perPage:Int!$actor:ID$action:String$resource:ID$createdAfter:DateTime$createdBefore:DateTime){auditLog(page:$page perPage:$perPage actor:$actor action:$action resource:$resource createdAfter:$createdAfter createdBefore:$createdBefore){items{...AuditEntryFacts}meta{...Paging}}}fragment AuditEntryFacts on AuditEntry{id at actor{kind id name}action resource{type id name}address before after}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<AuditLogQuery, AuditLogQueryVariables>;
export const AuditExportDocument = "query AuditExport($after:String$actor:ID$action:String$resource:ID$createdAfter:DateTime$createdBefore:DateTime){auditLogConnection(first:100 after:$after actor:$actor action:$action resource:$resource createdAfter:$createdAfter createdBefore:$createdBefore){edges{node{...AuditEntryFacts}}pageInfo{hasNextPage endCursor}}}fragment AuditEntryFacts on AuditEntry{id at actor{kind id name}action resource{type id name}address before after}" as unknown as DocumentNode<AuditExportQuery, AuditExportQueryVariables>;
export const AuditActorsDocument = "query AuditActors{users(perPage:100){items{id name}}apiKeys(perPage:100){items{id label}}}" as unknown as DocumentNode<AuditActorsQuery, AuditActorsQueryVariables>;