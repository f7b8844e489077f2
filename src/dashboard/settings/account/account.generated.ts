/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type UpdateAccountInput = {
  name?: string | null | undefined;
  eventLog?: boolean | null | undefined;
};

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { updateAccount: { id: string, name: string, eventLog: boolean } };

export type AccountSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountSettingsQuery = { account: { id: string, eventLog: boolean } };


export const UpdateAccountDocument = "mutation UpdateAccount($input:UpdateAccountInput!){updateAccount(input:$input){id name eventLog}}" as unknown as DocumentNode<UpdateAccountMutation, UpdateAccountMutationVariables>;
export const AccountSettingsDocument = "query AccountSettings{account{id eventLog}}" as unknown as DocumentNode<AccountSettingsQuery, AccountSettingsQueryVariables>;