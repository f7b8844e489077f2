/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { hasPassword: boolean, account: { id: string, name: string }, user: { id: string, email: string, name: string } | null } };


export const ViewerDocument = "query Viewer{viewer{account{id name}user{id email name}hasPassword}}" as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;