/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { IntegrationStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type IntegrationsQueryVariables = Exact<{
  page: number;
  perPage: number;
  status?: IntegrationStatus | null | undefined;
  search?: string | null | undefined;
  needsAttention: boolean;
}>;


export type IntegrationsQuery = { integrations: { items: Array<{ id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, reference: string | null, account: { externalId: string, name: string | null } | null, integrationType: { type: string, name: string, events: Array<string> } | null, workflows: { meta: { total: number } } }>, meta: { page: number, perPage: number, total: number } } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const IntegrationsDocument = "query Integrations($page:Int!$perPage:Int!$status:IntegrationStatus$search:String$needsAttention:Boolean!){integrations(page:$page perPage:$perPage status:$status search:$search needsAttention:$needsAttention){items{id name type status statusReason connectedAt expiresAt renews version reference account{externalId name}integrationType{type name events}workflows(perPage:1){meta{total}}}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<IntegrationsQuery, IntegrationsQueryVariables>;