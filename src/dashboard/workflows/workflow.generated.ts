/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { RunStatus } from '../graphql/enums.generated.js';
import type { ActionKind } from '../graphql/enums.generated.js';
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type UpdateWorkflowInput = {
  name?: string | null | undefined;
  description?: string | null | undefined;
  status?: WorkflowStatus | null | undefined;
  failureNoticeAfter?: number | null | undefined;
};

export type WorkflowQueryVariables = Exact<{
  id: string;
}>;


export type WorkflowQuery = { workflow: { id: string, name: string, description: string | null, status: WorkflowStatus, failureNoticeAfter: number | null, runCount: number, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, lastRun: { id: string, status: RunStatus, createdAt: string, isTest: boolean } | null, triggers: { meta: { page: number, perPage: number, total: number } }, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> }, byHand: { meta: { page: number, perPage: number, total: number } } };

export type UpdateWorkflowMutationVariables = Exact<{
  id: string;
  input: UpdateWorkflowInput;
}>;


export type UpdateWorkflowMutation = { updateWorkflow: { id: string, name: string, description: string | null, status: WorkflowStatus, failureNoticeAfter: number | null, updatedAt: string, triggers: { items: Array<{ id: string, nextFireAt: string | null }> } } };

export type DeleteWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWorkflowMutation = { deleteWorkflow: string };

export type WorkflowDependentsQueryVariables = Exact<{
  id: string;
}>;


export type WorkflowDependentsQuery = { queued: { meta: { page: number, perPage: number, total: number } }, webhooks: { items: Array<{ id: string, workflowId: string | null }> } };

export type WorkflowRunChangesSubscriptionVariables = Exact<{
  workflowId: string;
}>;


export type WorkflowRunChangesSubscription = { runStatusChanged: { version: number, run: { id: string, status: RunStatus } } };

export type EditedActionsFragment = { id: string, updatedAt: string, actionsVersion: string, actionsUnreadable: string | null, actions: Array<{ name: string, kind: ActionKind, config: Record<string, unknown> }> };

export type PagingFragment = { page: number, perPage: number, total: number };

export const WorkflowDocument = "query Workflow($id:ID!){workflow(id:$id){id name description status failureNoticeAfter runCount ...EditedActions lastRun{id status createdAt isTest}triggers(perPage:1){meta{...Paging}}}byHand:triggers(workflowId:$id type:MANUAL status:ACTIVE perPage:1){meta{...Paging}}}fragment EditedActions on Workflow{id updatedAt actionsVersion actionsUnreadable actions{name kind config}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<WorkflowQuery, WorkflowQueryVariables>;
export const UpdateWorkflowDocument = "mutation UpdateWorkflow($id:ID!$input:UpdateWorkflowInput!){updateWorkflow(id:$id input:$input){id name description status failureNoticeAfter updatedAt triggers(perPage:100){items{id nextFireAt}}}}" as unknown as DocumentNode<UpdateWorkflowMutation, UpdateWorkflowMutationVariables>;
export const DeleteWorkflowDocument = "mutation DeleteWorkflow($id:ID!){deleteWorkflow(id:$id)}" as unknown as DocumentNode<DeleteWorkflowMutation, DeleteWorkflowMutationVariables>;
export const WorkflowDependentsDocument = "query WorkflowDependents($id:ID!){queued:runs(workflowId:$id status:QUEUED perPage:1){meta{...Paging}}webhooks(perPage:100){items{id workflowId}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<WorkflowDependentsQuery, WorkflowDependentsQueryVariables>;
export const WorkflowRunChangesDocument = "subscription WorkflowRunChanges($workflowId:ID!){runStatusChanged(workflowId:$workflowId){version run{id status}}}" as unknown as DocumentNode<WorkflowRunChangesSubscription, WorkflowRunChangesSubscriptionVariables>;