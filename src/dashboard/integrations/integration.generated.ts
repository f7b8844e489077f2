/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { ActorKind } from '../graphql/enums.generated.js';
import type { AuthKind } from '../graphql/enums.generated.js';
import type { IntegrationStatus } from '../graphql/enums.generated.js';
import type { EventsProof } from '../graphql/enums.generated.js';
import type { TriggerType } from '../graphql/enums.generated.js';
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TriggerStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type IntegrationQueryVariables = Exact<{
  id: string;
  page: number;
  perPage: number;
}>;


export type IntegrationQuery = { integration: { reference: string | null, scopes: Array<string>, eventsUrl: string | null, eventsProof: EventsProof | null, unreadable: string | null, blockedUntil: string | null, id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, integrationType: { type: string, name: string, auth: AuthKind, configured: boolean, events: Array<string>, documentationUrl: string | null } | null, workflows: { items: Array<{ id: string, name: string, status: WorkflowStatus }>, meta: { page: number, perPage: number, total: number } }, triggers: { items: Array<{ id: string, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, workflow: { id: string, name: string } }>, meta: { page: number, perPage: number, total: number } }, latest: { items: Array<{ id: string, reason: string | null, actor: { id: string, kind: ActorKind, name: string | null } | null }> }, history: { items: Array<{ id: string, version: number, previousStatus: IntegrationStatus | null, status: IntegrationStatus, reason: string | null, at: string, actor: { id: string, kind: ActorKind, name: string | null } | null }>, meta: { page: number, perPage: number, total: number } }, account: { externalId: string, name: string | null } | null } };

export type EventsSecretQueryVariables = Exact<{
  id: string;
}>;


export type EventsSecretQuery = { integration: { id: string, eventsSecret: string | null } };

export type SetEventsSecretMutationVariables = Exact<{
  id: string;
  eventsSecret?: string | null | undefined;
}>;


export type SetEventsSecretMutation = { updateIntegration: { id: string, eventsUrl: string | null, eventsProof: EventsProof | null } };

export type RenameIntegrationMutationVariables = Exact<{
  id: string;
  name: string;
}>;


export type RenameIntegrationMutation = { updateIntegration: { id: string, name: string } };

export type TestIntegrationMutationVariables = Exact<{
  id: string;
}>;


export type TestIntegrationMutation = { testIntegration: { ok: boolean, reason: string | null } };

export type DisconnectIntegrationMutationVariables = Exact<{
  id: string;
}>;


export type DisconnectIntegrationMutation = { disconnectIntegration: { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null } };

export type ConnectedNowFragment = { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number, account: { externalId: string, name: string | null } | null };

export type PagingFragment = { page: number, perPage: number, total: number };

export type ActorNameFragment = { id: string, kind: ActorKind, name: string | null };

export const IntegrationDocument = "query Integration($id:ID!$page:Int!$perPage:Int!){integration(id:$id){...ConnectedNow reference scopes eventsUrl eventsProof unreadable blockedUntil integrationType{type name auth configured events documentationUrl}workflows(perPage:10){items{id name status}meta{...Paging}}triggers(perPage:10){items{id type status config workflow{id name}}meta{...Paging}}latest:history(perPage:1){items{id reason actor{...ActorName}}}history(page:$page perPage:$perPage){items{id version previousStatus status reason at actor{...ActorName}}meta{...Paging}}}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}fragment Paging on PageMeta{page perPage total}fragment ActorName on Actor{id kind name}" as unknown as DocumentNode<IntegrationQuery, IntegrationQueryVariables>;
export const EventsSecretDocument = "query EventsSecret($id:ID!){integration(id:$id){id eventsSecret}}" as unknown as DocumentNode<EventsSecretQuery, EventsSecretQueryVariables>;
export const SetEventsSecretDocument = "mutation SetEventsSecret($id:ID!$eventsSecret:String){updateIntegration(id:$id input:{eventsSecret:$eventsSecret}){id eventsUrl eventsProof}}" as unknown as DocumentNode<SetEventsSecretMutation, SetEventsSecretMutationVariables>;
export const RenameIntegrationDocument = "mutation RenameIntegration($id:ID!$name:String!){updateIntegration(id:$id input:{name:$name}){id name}}" as unknown as DocumentNode<RenameIntegrationMutation, RenameIntegrationMutationVariables>;
export const TestIntegrationDocument = "mutation TestIntegration($id:ID!){testIntegration(id:$id){ok reason}}" as unknown as DocumentNode<TestIntegrationMutation, TestIntegrationMutationVariables>;
export const DisconnectIntegrationDocument = "mutation DisconnectIntegration($id:ID!){disconnectIntegration(id:$id){...ConnectedNow}}fragment ConnectedNow on Integration{id name type status statusReason connectedAt expiresAt renews version account{externalId name}}" as unknown as DocumentNode<DisconnectIntegrationMutation, DisconnectIntegrationMutationVariables>;