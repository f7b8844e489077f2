/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { ActorKind } from '../../graphql/enums.generated.js';
import type { TriggerType } from '../../graphql/enums.generated.js';
import type { RunStatus } from '../../graphql/enums.generated.js';
import type { ActionKind } from '../../graphql/enums.generated.js';
import type { StepStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type SourceRunsQueryVariables = Exact<{
  workflowId: string;
}>;


export type SourceRunsQuery = { runs: { items: Array<{ id: string, status: RunStatus, createdAt: string, isTest: boolean }> } };

export type SourceRunQueryVariables = Exact<{
  id: string;
}>;


export type SourceRunQuery = { run: { input: unknown, triggerHeaders: unknown, triggerQuery: unknown, id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, steps: Array<{ output: unknown, index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null } };

export type RunInDetailFragment = { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, canceledBy: { id: string, kind: ActorKind, name: string | null } | null, steps: Array<{ index: number, name: string, kind: ActionKind, status: StepStatus, attempt: number, startedAt: string | null, finishedAt: string | null, error: { code: string, message: string } | null }>, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null };

export type RunInListFragment = { id: string, status: RunStatus, statusReason: string | null, triggerType: TriggerType, triggerId: string | null, isTest: boolean, attempt: number, retryOf: string | null, retriedBy: string | null, scheduledFor: string | null, resumesAt: string | null, createdAt: string, startedAt: string | null, finishedAt: string | null, workflowId: string, error: { code: string, message: string } | null, failingStep: { name: string, attempt: number, error: { code: string, message: string } | null } | null, workflow: { id: string, name: string } | null };

export type ActorNameFragment = { id: string, kind: ActorKind, name: string | null };

export const SourceRunsDocument = "query SourceRuns($workflowId:ID!){runs(workflowId:$workflowId perPage:15){items{id status createdAt isTest}}}" as unknown as DocumentNode<SourceRunsQuery, SourceRunsQueryVariables>;
export const SourceRunDocument = "query SourceRun($id:ID!){run(id:$id){...RunInDetail input triggerHeaders triggerQuery steps{output}}}fragment RunInList on Run{id status statusReason triggerType triggerId isTest attempt retryOf retriedBy scheduledFor resumesAt createdAt startedAt finishedAt workflowId error{code message}failingStep{name attempt error{code message}}workflow{id name}}fragment ActorName on Actor{id kind name}fragment RunInDetail on Run{...RunInList canceledBy{...ActorName}steps{index name kind status attempt startedAt finishedAt error{code message}}}" as unknown as DocumentNode<SourceRunQuery, SourceRunQueryVariables>;