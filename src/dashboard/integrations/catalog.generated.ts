/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { AuthKind } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CatalogQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type CatalogQuery = { integrationTypes: { items: Array<{ inUse: boolean, type: string, name: string, category: string | null, auth: AuthKind, configured: boolean, events: Array<string> }>, meta: { page: number, perPage: number, total: number } } };

export type CatalogEntryQueryVariables = Exact<{
  type: string;
}>;


export type CatalogEntryQuery = { integrationType: { scopes: Array<string>, documentationUrl: string | null, type: string, name: string, category: string | null, auth: AuthKind, configured: boolean, events: Array<string>, parameters: Array<{ name: string, description: string, pattern: string, default: string | null, choices: Array<string> }> } };

export type CatalogTypeFragment = { type: string, name: string, category: string | null, auth: AuthKind, configured: boolean, events: Array<string> };

export type PagingFragment = { page: number, perPage: number, total: number };

export const CatalogDocument = "query Catalog($search:String){integrationTypes(perPage:100 search:$search){items{...CatalogType inUse}meta{...Paging}}}fragment CatalogType on IntegrationType{type name category auth configured events}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<CatalogQuery, CatalogQueryVariables>;
export const CatalogEntryDocument = "query CatalogEntry($type:String!){integrationType(type:$type){...CatalogType scopes documentationUrl parameters{name description pattern default choices}}}fragment CatalogType on IntegrationType{type name category auth configured events}" as unknown as DocumentNode<CatalogEntryQuery, CatalogEntryQueryVariables>;