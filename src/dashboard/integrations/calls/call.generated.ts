/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CallApplicationInput = {
  integrationId?: string | null | undefined;
  connection?: ConnectionSelector | null | undefined;
  method?: string;
  path: string;
  query?: Record<string, unknown> | null | undefined;
  headers?: Record<string, unknown> | null | undefined;
  body?: unknown;
  retries?: number;
};

export type ConnectionSelector = {
  type: string;
  reference: string;
};

export type CallApplicationMutationVariables = Exact<{
  input: CallApplicationInput;
}>;


export type CallApplicationMutation = { callApplication: { status: number, headers: Record<string, unknown>, body: unknown, truncated: boolean } };


export const CallApplicationDocument = "mutation CallApplication($input:CallApplicationInput!){callApplication(input:$input){status headers body truncated}}" as unknown as DocumentNode<CallApplicationMutation, CallApplicationMutationVariables>;