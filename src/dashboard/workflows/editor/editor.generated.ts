/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { ActionKind } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ActionInput = {
  name: string;
  kind: ActionKind;
  config: Record<string, unknown>;
};

export type EditedActionsFragment = { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> };

export type PresentActionsQueryVariables = Exact<{
  id: string;
}>;


export type PresentActionsQuery = { workflow: { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> } };

export type SaveActionsMutationVariables = Exact<{
  id: string;
  actions: Array<ActionInput>;
  version: string;
}>;


export type SaveActionsMutation = { setWorkflowActions: { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> } };

export const PresentActionsDocument = "query PresentActions($id:ID!){workflow(id:$id){...EditedActions}}fragment EditedActions on Workflow{id updatedAt actionsVersion actionsUnreadable actions{name kind config}}" as unknown as DocumentNode<PresentActionsQuery, PresentActionsQueryVariables>;
export const SaveActionsDocument = "mutation SaveActions($id:ID!$actions:[ActionInput!]!$version:String!){setWorkflowActions(workflowId:$id actions:$actions expectedVersion:$version){...EditedActions}}fragment EditedActions on Workflow{id updatedAt actionsVersion actionsUnreadable actions{name kind config}}" as unknown as DocumentNode<SaveActionsMutation, SaveActionsMutationVariables>;