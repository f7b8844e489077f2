/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { AuthKind } from '../graphql/enums.generated.js';
import type { IntegrationStatus } from '../graphql/enums.generated.js';
import type { TriggerType } from '../graphql/enums.generated.js';
import type { RunStatus } from '../graphql/enums.generated.js';
import type { StatisticsBucket } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RunsOverTimeQueryVariables = Exact<{
  from: string;
  bucket: StatisticsBucket;
  timezone: string;
}>;


export type RunsOverTimeQuery = { runStatistics: { sum: { total: number, queued: number, running: number, waiting: number, succeeded: number, failed: number, canceled: number, skipped: number }, buckets: Array<{ from: string, to: string, total: number, queued: number, running: number, waiting: number, succeeded: number, failed: number, canceled: number, skipped: number }> } };

export type LatestFailuresQueryVariables = Exact<{
  createdAfter: string;
}>;


export type LatestFailuresQuery = { runs: { items: Array<{ id: string, status: RunStatus, createdAt: string, finishedAt: string | null, retriedBy: string | null, workflowId: string, error: { code: string, message: string } | null, workflow: { id: string, name: string } | null }> } };

export type NeedsAttentionQueryVariables = Exact<{ [key: string]: never; }>;


export type NeedsAttentionQuery = { integrations: { items: Array<{ id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, expiresAt: string | null, version: number, account: { externalId: string, name: string | null } | null, integrationType: { type: string, name: string, auth: AuthKind, configured: boolean, documentationUrl: string | null } | null }>, meta: { page: number, perPage: number, total: number } } };

export type NextSchedulesQueryVariables = Exact<{ [key: string]: never; }>;


export type NextSchedulesQuery = { upcomingFirings: Array<{ at: string, trigger: { id: string, type: TriggerType, config: Record<string, unknown>, scheduleInWords: string | null, workflow: { id: string, name: string } } }> };

export type PagingFragment = { page: number, perPage: number, total: number };

export const RunsOverTimeDocument = "query RunsOverTime($from:DateTime!$bucket:StatisticsBucket!$timezone:String!){runStatistics(from:$from bucket:$bucket timezone:$timezone){sum{total queued running waiting succeeded failed canceled skipped}buckets{from to total queued running waiting succeeded failed canceled skipped}}}" as unknown as DocumentNode<RunsOverTimeQuery, RunsOverTimeQueryVariables>;
export const LatestFailuresDocument = "query LatestFailures($createdAfter:DateTime!){runs(status:FAILED createdAfter:$createdAfter isTest:false perPage:5){items{id status createdAt finishedAt retriedBy workflowId error{code message}workflow{id name}}}}" as unknown as DocumentNode<LatestFailuresQuery, LatestFailuresQueryVariables>;
export const NeedsAttentionDocument = "query NeedsAttention{integrations(needsAttention:true perPage:4){items{id name type status statusReason expiresAt version account{externalId name}integrationType{type name auth configured documentationUrl}}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<NeedsAttentionQuery, NeedsAttentionQueryVariables>;
export const NextSchedulesDocument = "query NextSchedules{upcomingFirings(first:4){at trigger{id type config scheduleInWords workflow{id name}}}}" as unknown as DocumentNode<NextSchedulesQuery, NextSchedulesQueryVariables>;