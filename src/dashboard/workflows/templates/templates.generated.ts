/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TriggerType } from '../../graphql/enums.generated.js';
import type { ActionKind } from '../../graphql/enums.generated.js';
import type { WorkflowStatus } from '../../graphql/enums.generated.js';
import type { TriggerStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ActionInput = {
  name: string;
  kind: ActionKind;
  config: Record<string, unknown>;
};

export type CreateTriggerInput = {
  workflowId: string;
  type: TriggerType;
  config?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
};

export type ConnectionOfTypeQueryVariables = Exact<{
  type: string;
}>;


export type ConnectionOfTypeQuery = { integrations: { items: Array<{ id: string }> } };

export type ExampleNeedsQueryVariables = Exact<{
  type: string;
  name: string;
}>;


export type ExampleNeedsQuery = { integrationTypes: { items: Array<{ type: string }> }, workflows: { items: Array<{ id: string, name: string }> } };

export type FillWorkflowMutationVariables = Exact<{
  id: string;
  actions: Array<ActionInput>;
  trigger: CreateTriggerInput;
  activates: boolean;
}>;


export type FillWorkflowMutation = { setWorkflowActions: { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> }, createTrigger: { id: string, type: TriggerType, status: TriggerStatus, workflowId: string }, updateWorkflow?: { id: string, status: WorkflowStatus, updatedAt: string } };

export type EditedActionsFragment = { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> };

export const ConnectionOfTypeDocument = "query ConnectionOfType($type:String!){integrations(type:$type status:CONNECTED perPage:1){items{id}}}" as unknown as DocumentNode<ConnectionOfTypeQuery, ConnectionOfTypeQueryVariables>;
export const ExampleNeedsDocument = "query ExampleNeeds($type:String!$name:String!){integrationTypes(search:$type perPage:1){items{type}}workflows(search:$name perPage:100){items{id name}}}" as unknown as DocumentNode<ExampleNeedsQuery, ExampleNeedsQueryVariables>;
export const FillWorkflowDocument = "mutation FillWorkflow($id:ID!$actions:[ActionInput!]!$trigger:CreateTriggerInput!$activates:Boolean!){setWorkflowActions(workflowId:$id actions:$actions){...EditedActions}createTrigger(input:$trigger){id type status workflowId}updateWorkflow(id:$id input:{status:ACTIVE})@include(if:$activates){id status updatedAt}}fragment EditedActions on Workflow{id updatedAt actionsVersion actionsUnreadable actions{name kind config}}" as unknown as DocumentNode<FillWorkflowMutation, FillWorkflowMutationVariables>;