/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type NewestIntegrationQueryVariables = Exact<{ [key: string]: never; }>;


export type NewestIntegrationQuery = { integrations: { items: Array<{ id: string }> } };


export const NewestIntegrationDocument = "query NewestIntegration{integrations(perPage:1){items{id}}}" as unknown as DocumentNode<NewestIntegrationQuery, NewestIntegrationQueryVariables>;