/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { AuthKind } from '../graphql/enums.generated.js';
import type { IntegrationStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ConnectIntegrationInput = {
  type: string;
  label?: string | null | undefined;
  auth?: AuthKind | null | undefined;
  credentials?: Record<string, unknown> | null | undefined;
  reference?: string | null | undefined;
  parameters?: Record<string, unknown> | null | undefined;
  returnUrl?: string | null | undefined;
};

export type ConnectIntegrationMutationVariables = Exact<{
  input: ConnectIntegrationInput;
}>;


export type ConnectIntegrationMutation = { connectIntegration:
    | { __typename: 'Integration', id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null }
    | { __typename: 'IntegrationAuthorization', integrationId: string, redirectUrl: string, connectUrl: string, version: number }
   };

export type ReconnectIntegrationMutationVariables = Exact<{
  id: string;
  credentials?: Record<string, unknown> | null | undefined;
}>;


export type ReconnectIntegrationMutation = { reconnectIntegration:
    | { __typename: 'Integration', id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null }
    | { __typename: 'IntegrationAuthorization', integrationId: string, redirectUrl: string, connectUrl: string, version: number }
   };

export type FlowChangesSubscriptionVariables = Exact<{
  integrationId: string;
  afterVersion: number;
}>;


export type FlowChangesSubscription = { integrationStatusChanged: { id: string, version: number, reason: string | null, integration: { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null } } };

export type FlowNewsQueryVariables = Exact<{
  id: string;
}>;


export type FlowNewsQuery = { integration: { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null } };

export type DeleteIntegrationMutationVariables = Exact<{
  id: string;
}>;


export type DeleteIntegrationMutation = { deleteIntegration: string };

export type ConnectedNowFragment = { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null };

export type FlowStartedFragment = { integrationId: string, redirectUrl: string, connectUrl: string, version: number };

export const ConnectIntegrationDocument = "mutation ConnectIntegration($input:ConnectIntegrationInput!){connectIntegration(input:$input){__typename ...on Integration{...ConnectedNow}...on IntegrationAuthorization{...FlowStarted}}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}fragment FlowStarted on IntegrationAuthorization{integrationId redirectUrl connectUrl version}" as unknown as DocumentNode<ConnectIntegrationMutation, ConnectIntegrationMutationVariables>;
export const ReconnectIntegrationDocument = "mutation ReconnectIntegration($id:ID!$credentials:JSONObject){reconnectIntegration(id:$id credentials:$credentials){__typename ...on Integration{...ConnectedNow}...on IntegrationAuthorization{...FlowStarted}}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}fragment FlowStarted on IntegrationAuthorization{integrationId redirectUrl connectUrl version}" as unknown as DocumentNode<ReconnectIntegrationMutation, ReconnectIntegrationMutationVariables>;
export const FlowChangesDocument = "subscription FlowChanges($integrationId:ID!$afterVersion:Int!){integrationStatusChanged(integrationId:$integrationId afterVersion:$afterVersion){id version reason integration{...ConnectedNow}}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}" as unknown as DocumentNode<FlowChangesSubscription, FlowChangesSubscriptionVariables>;
export const FlowNewsDocument = "query FlowNews($id:ID!){integration(id:$id){...ConnectedNow}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}" as unknown as DocumentNode<FlowNewsQuery, FlowNewsQueryVariables>;
export const DeleteIntegrationDocument = "mutation DeleteIntegration($id:ID!){deleteIntegration(id:$id)}" as unknown as DocumentNode<DeleteIntegrationMutation, DeleteIntegrationMutationVariables>;