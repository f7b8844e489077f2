/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { ApiKeyScope } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CreateApiKeyInput = {
  label: string;
  scope: ApiKeyScope;
  expiresAt?: string | null | undefined;
};

export type ApiKeysQueryVariables = Exact<{
  page: number;
  perPage: number;
}>;


export type ApiKeysQuery = { apiKeys: { items: Array<{ id: string, label: string, scope: ApiKeyScope, lastFour: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null }>, meta: { page: number, perPage: number, total: number } } };

export type ApiKeyRowFragment = { id: string, label: string, scope: ApiKeyScope, lastFour: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { secret: string, apiKey: { id: string, label: string, scope: ApiKeyScope, lastFour: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } } };

export type RotateApiKeyMutationVariables = Exact<{
  id: string;
  overlapHours: number;
}>;


export type RotateApiKeyMutation = { rotateApiKey: { secret: string, apiKey: { id: string, label: string, scope: ApiKeyScope, lastFour: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } } };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: { id: string, label: string, scope: ApiKeyScope, lastFour: string, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const ApiKeysDocument = "query ApiKeys($page:Int!$perPage:Int!){apiKeys(page:$page perPage:$perPage){items{...ApiKeyRow}meta{...Paging}}}fragment ApiKeyRow on ApiKey{id label scope lastFour createdAt lastUsedAt expiresAt revokedAt}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<ApiKeysQuery, ApiKeysQueryVariables>;
export const CreateApiKeyDocument = "mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){apiKey{...ApiKeyRow}secret}}fragment ApiKeyRow on ApiKey{id label scope lastFour createdAt lastUsedAt expiresAt revokedAt}" as unknown as DocumentNode<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const RotateApiKeyDocument = "mutation RotateApiKey($id:ID!$overlapHours:Int!){rotateApiKey(id:$id overlapHours:$overlapHours){apiKey{...ApiKeyRow}secret}}fragment ApiKeyRow on ApiKey{id label scope lastFour createdAt lastUsedAt expiresAt revokedAt}" as unknown as DocumentNode<RotateApiKeyMutation, RotateApiKeyMutationVariables>;
export const RevokeApiKeyDocument = "mutation RevokeApiKey($id:ID!){revokeApiKey(id:$id){...ApiKeyRow}}fragment ApiKeyRow on ApiKey{id label scope lastFour createdAt lastUsedAt expiresAt revokedAt}" as unknown as DocumentNode<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;