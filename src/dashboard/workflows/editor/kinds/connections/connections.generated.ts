/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { IntegrationStatus } from '../../../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ConnectionsQueryVariables = Exact<{
  page: number;
}>;


export type ConnectionsQuery = { integrations: { items: Array<{ id: string, name: string, type: string, status: IntegrationStatus, reference: string | null, integrationType: { type: string, apiBaseUrl: string, documentationUrl: string | null } | null }>, meta: { page: number, perPage: number, total: number } } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const ConnectionsDocument = "query Connections($page:Int!){integrations(page:$page perPage:100){items{id name type status reference integrationType{type apiBaseUrl documentationUrl}}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<ConnectionsQuery, ConnectionsQueryVariables>;