/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { RunStatus } from '../../graphql/enums.generated.js';
import type { BulkKind } from '../../graphql/enums.generated.js';
import type { BulkStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type BulkCountQueryVariables = Exact<{
  workflowId?: string | null | undefined;
  triggerId?: string | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  isTest?: boolean | null | undefined;
  first: RunStatus;
  second: RunStatus;
  third: RunStatus;
}>;


export type BulkCountQuery = { first: { totalCount: number }, second: { totalCount: number }, third: { totalCount: number } };

export type RetryRunsMutationVariables = Exact<{
  workflowId?: string | null | undefined;
  triggerId?: string | null | undefined;
  status?: RunStatus | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  isTest?: boolean | null | undefined;
}>;


export type RetryRunsMutation = { retryRuns: { id: string, kind: BulkKind, status: BulkStatus, matched: number, done: number, failed: number } };

export type CancelRunsMutationVariables = Exact<{
  workflowId?: string | null | undefined;
  triggerId?: string | null | undefined;
  status?: RunStatus | null | undefined;
  createdAfter?: string | null | undefined;
  createdBefore?: string | null | undefined;
  isTest?: boolean | null | undefined;
}>;


export type CancelRunsMutation = { cancelRuns: { id: string, kind: BulkKind, status: BulkStatus, matched: number, done: number, failed: number } };

export type CancelBulkOperationMutationVariables = Exact<{
  id: string;
}>;


export type CancelBulkOperationMutation = { cancelBulkOperation: { id: string, kind: BulkKind, status: BulkStatus, matched: number, done: number, failed: number } };

export type BulkChangedSubscriptionVariables = Exact<{
  id: string;
}>;


export type BulkChangedSubscription = { bulkChanged: { id: string, kind: BulkKind, status: BulkStatus, matched: number, done: number, failed: number } };

export type BulkProgressFragment = { id: string, kind: BulkKind, status: BulkStatus, matched: number, done: number, failed: number };

export const BulkCountDocument = "query BulkCount($workflowId:ID$triggerId:ID$createdAfter:DateTime$createdBefore:DateTime$isTest:Boolean$first:RunStatus!$second:RunStatus!$third:RunStatus!){first:runConnection(first:0 status:$first workflowId:$workflowId triggerId:$triggerId createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest){totalCount}second:runConnection(first:0 status:$second workflowId:$workflowId triggerId:$triggerId createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest){totalCount}third:runConnection(first:0 status:$third workflowId:$workflowId triggerId:$triggerId createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest){totalCount}}" as unknown as DocumentNode<BulkCountQuery, BulkCountQueryVariables>;
export const RetryRunsDocument = "mutation RetryRuns($workflowId:ID$triggerId:ID$status:RunStatus$createdAfter:DateTime$createdBefore:DateTime$isTest:Boolean){retryRuns(workflowId:$workflowId triggerId:$triggerId status:$status createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest){...BulkProgress}}fragment BulkProgress on BulkOperation{id kind status matched done failed}" as unknown as DocumentNode<RetryRunsMutation, RetryRunsMutationVariables>;
export const CancelRunsDocument = "mutation CancelRuns($workflowId:ID$triggerId:ID$status:RunStatus$createdAfter:DateTime$createdBefore:DateTime$isTest:Boolean){cancelRuns(workflowId:$workflowId triggerId:$triggerId status:$status createdAfter:$createdAfter createdBefore:$createdBefore isTest:$isTest){...BulkProgress}}fragment BulkProgress on BulkOperation{id kind status matched done failed}" as unknown as DocumentNode<CancelRunsMutation, CancelRunsMutationVariables>;
export const CancelBulkOperationDocument = "mutation CancelBulkOperation($id:ID!){cancelBulkOperation(id:$id){...BulkProgress}}fragment BulkProgress on BulkOperation{id kind status matched done failed}" as unknown as DocumentNode<CancelBulkOperationMutation, CancelBulkOperationMutationVariables>;
export const BulkChangedDocument = "subscription BulkChanged($id:ID!){bulkChanged(id:$id){...BulkProgress}}fragment BulkProgress on BulkOperation{id kind status matched done failed}" as unknown as DocumentNode<BulkChangedSubscription, BulkChangedSubscriptionVariables>;