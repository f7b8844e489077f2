/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { ActorKind } from '../graphql/enums.generated.js';
import type { TriggerType } from '../graphql/enums.generated.js';
import type { RunStatus } from '../graphql/enums.generated.js';
import type { ActionKind } from '../graphql/enums.generated.js';
import type { StepStatus } from '../graphql/enums.generated.js';
import type { RetryFrom } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RunQueryVariables = Exact<{
  id: string;
}>;


export type RunQuery = { run: { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, steps: Array<{ index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } };

export type RetryOfRunQueryVariables = Exact<{
  id: string;
}>;


export type RetryOfRunQuery = { run: { id: string, status: RunStatus } };

export type RunInputQueryVariables = Exact<{
  id: string;
}>;


export type RunInputQuery = { run: { id: string, input: unknown, triggerHeaders: unknown, triggerQuery: unknown } };

export type StepValuesQueryVariables = Exact<{
  id: string;
  index: number;
}>;


export type StepValuesQuery = { run: { id: string, steps: Array<{ status: StepStatus, attempt: number, input: Record<string, unknown> | null, output: unknown }> } };

export type RunActionsQueryVariables = Exact<{
  id: string;
}>;


export type RunActionsQuery = { run: { id: string, actions: Array<{ name: string, kind: ActionKind }> | null } };

export type ConnectionOfStepQueryVariables = Exact<{
  id: string;
}>;


export type ConnectionOfStepQuery = { integration: { id: string, name: string, integrationType: { type: string, apiBaseUrl: string } | null } };

export type ChangesOfRunSubscriptionVariables = Exact<{
  id: string;
}>;


export type ChangesOfRunSubscription = { runStatusChanged: { version: number, run: { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, steps: Array<{ index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } } };

export type CancelRunMutationVariables = Exact<{
  id: string;
}>;


export type CancelRunMutation = { cancelRun: { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, steps: Array<{ index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } };

export type RetryRunMutationVariables = Exact<{
  id: string;
  from: RetryFrom;
}>;


export type RetryRunMutation = { retryRun: { id: string, status: RunStatus } };

export type FireByHandMutationVariables = Exact<{
  workflowId: string;
  input?: unknown;
}>;


export type FireByHandMutation = { runWorkflow: { id: string, status: RunStatus } };

export type RunInDetailFragment = { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, steps: Array<{ index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null };

export type RunInListFragment = { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null };

export type ActorNameFragment = { id: string, kind: ActorKind, name: string | null };

export const RunDocument = "query Run($id:ID!){run(id:$id){...RunInDetail}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}fragment ActorName on Actor{id kind name}fragment RunInDetail on Run{...RunInList canceledBy{...ActorName}steps{index name kind status attempt startedAt finishedAt error{code message}}}" as unknown as DocumentNode<RunQuery, RunQueryVariables>;
export const RetryOfRunDocument = "query RetryOfRun($id:ID!){run(id:$id){id status}}" as unknown as DocumentNode<RetryOfRunQuery, RetryOfRunQueryVariables>;
export const RunInputDocument = "query RunInput($id:ID!){run(id:$id){id input triggerHeaders triggerQuery}}" as unknown as DocumentNode<RunInputQuery, RunInputQueryVariables>;
export const StepValuesDocument = "query StepValues($id:ID!$index:Int!){run(id:$id){id steps(index:$index){status attempt input output}}}" as unknown as DocumentNode<StepValuesQuery, StepValuesQueryVariables>;
export const RunActionsDocument = "query RunActions($id:ID!){run(id:$id){id actions{name kind}}}" as unknown as DocumentNode<RunActionsQuery, RunActionsQueryVariables>;
export const ConnectionOfStepDocument = "query ConnectionOfStep($id:ID!){integration(id:$id){id name integrationType{type apiBaseUrl}}}" as unknown as DocumentNode<ConnectionOfStepQuery, ConnectionOfStepQueryVariables>;
export const ChangesOfRunDocument = "subscription ChangesOfRun($id:ID!){runStatusChanged(runId:$id){version run{...RunInDetail}}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}fragment ActorName on Actor{id kind name}fragment RunInDetail on Run{...RunInList canceledBy{...ActorName}steps{index name kind status attempt startedAt finishedAt error{code message}}}" as unknown as DocumentNode<ChangesOfRunSubscription, ChangesOfRunSubscriptionVariables>;
export const CancelRunDocument = "mutation CancelRun($id:ID!){cancelRun(id:$id){...RunInDetail}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}fragment ActorName on Actor{id kind name}fragment RunInDetail on Run{...RunInList canceledBy{...ActorName}steps{index name kind status attempt startedAt finishedAt error{code message}}}" as unknown as DocumentNode<CancelRunMutation, CancelRunMutationVariables>;
export const RetryRunDocument = "mutation RetryRun($id:ID!$from:RetryFrom!){retryRun(id:$id from:$from){id status}}" as unknown as DocumentNode<RetryRunMutation, RetryRunMutationVariables>;
export const FireByHandDocument = "mutation FireByHand($workflowId:ID!$input:JSON){runWorkflow(workflowId:$workflowId input:$input){id status}}" as unknown as DocumentNode<FireByHandMutation, FireByHandMutationVariables>;