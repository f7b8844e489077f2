/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TriggerType } from '../graphql/enums.generated.js';
import type { RunStatus } from '../graphql/enums.generated.js';
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TriggerStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RunNowMutationVariables = Exact<{
  id: string;
  input?: unknown;
  makesTrigger: boolean;
  activates: boolean;
}>;


export type RunNowMutation = { createTrigger?: { id: string, type: TriggerType, status: TriggerStatus, workflowId: string }, updateWorkflow?: { id: string, status: WorkflowStatus, updatedAt: string }, runWorkflow: { id: string, status: RunStatus } };


export const RunNowDocument = "mutation RunNow($id:ID!$input:JSON$makesTrigger:Boolean!$activates:Boolean!){createTrigger(input:{workflowId:$id type:MANUAL})@include(if:$makesTrigger){id type status workflowId}updateWorkflow(id:$id input:{status:ACTIVE})@include(if:$activates){id status updatedAt}runWorkflow(workflowId:$id input:$input){id status}}" as unknown as DocumentNode<RunNowMutation, RunNowMutationVariables>;