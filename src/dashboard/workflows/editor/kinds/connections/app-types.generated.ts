/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type AppTypesQueryVariables = Exact<{
  page: number;
}>;


export type AppTypesQuery = { integrationTypes: { items: Array<{ type: string, name: string, apiBaseUrl: string, documentationUrl: string | null }>, meta: { page: number, perPage: number, total: number } } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const AppTypesDocument = "query AppTypes($page:Int!){integrationTypes(page:$page perPage:100){items{type name apiBaseUrl documentationUrl}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<AppTypesQuery, AppTypesQueryVariables>;