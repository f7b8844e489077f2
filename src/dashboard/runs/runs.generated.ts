/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TriggerType } from '../graphql/enums.generated.js';
import type { RunStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RunsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  status?: RunStatus | null | undefined;
  workflowId?: string | null | undefined;
  triggerId?: string | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  isTest?: boolean | null | undefined;
  search?: string | null | undefined;
}>;


export type RunsQuery = { runConnection: { totalCount: number, latestChange: string, edges: Array<{ node: { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } };

export type RunChangesSubscriptionVariables = Exact<{
  workflowId?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type RunChangesSubscription = { runStatusChanged: { id: string, at: string, version: number, previousStatus: RunStatus | null, status: RunStatus, run: { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } } };

export type RunInListFragment = { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null };

export const RunsDocument = "query Runs($first:Int$after:String$last:Int$before:String$status:RunStatus$workflowId:ID$triggerId:ID$createdAfter:DateTime$createdBefore:DateTime$isTest:Boolean$search:String){runConnection(first:$first after:$after last:$last before:$before status:$status workflowId:$workflowId triggerId:$triggerId createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest search:$search){edges{node{...RunInList}}pageInfo{startCursor endCursor hasPreviousPage hasNextPage}totalCount latestChange}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}" as unknown as DocumentNode<RunsQuery, RunsQueryVariables>;
export const RunChangesDocument = "subscription RunChanges($workflowId:ID$after:ID){runStatusChanged(workflowId:$workflowId after:$after){id at version previousStatus status run{...RunInList}}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}" as unknown as DocumentNode<RunChangesSubscription, RunChangesSubscriptionVariables>;