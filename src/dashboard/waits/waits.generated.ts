/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WaitStatus } from '../graphql/enums.generated.js';
import type { WaitKind } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type PendingWaitsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  kind: WaitKind;
}>;


export type PendingWaitsQuery = { waitConnection: { totalCount: number, latestChange: string, edges: Array<{ node: { id: string, kind: WaitKind, status: WaitStatus, step: string, title: string | null, text: string | null, integrationType: string | null, reference: string | null, url: string | null, connectUrl: string | null, createdAt: string, expiresAt: string | null, runId: string, run: { id: string, isTest: boolean, workflow: { id: string, name: string } | null } } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasPreviousPage: boolean, hasNextPage: boolean } } };

export type WaitsOfRunQueryVariables = Exact<{
  runId: string;
}>;


export type WaitsOfRunQuery = { waits: { latestChange: string, items: Array<{ id: string, kind: WaitKind, status: WaitStatus, step: string, title: string | null, text: string | null, integrationType: string | null, reference: string | null, url: string | null, connectUrl: string | null, createdAt: string, expiresAt: string | null, runId: string }> } };

export type WaitChangesSubscriptionVariables = Exact<{
  kind?: WaitKind | null | undefined;
  runId?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type WaitChangesSubscription = { waitChanged: { id: string, status: WaitStatus, wait: { id: string, status: WaitStatus } } };

export type AppOfWaitQueryVariables = Exact<{
  type: string;
}>;


export type AppOfWaitQuery = { integrationType: { type: string, name: string } };

export type WaitInDetailFragment = { id: string, kind: WaitKind, status: WaitStatus, step: string, title: string | null, text: string | null, integrationType: string | null, reference: string | null, url: string | null, connectUrl: string | null, createdAt: string, expiresAt: string | null, runId: string };

export type WaitInListFragment = { id: string, kind: WaitKind, status: WaitStatus, step: string, title: string | null, text: string | null, integrationType: string | null, reference: string | null, url: string | null, connectUrl: string | null, createdAt: string, expiresAt: string | null, runId: string, run: { id: string, isTest: boolean, workflow: { id: string, name: string } | null } };

export const PendingWaitsDocument = "query PendingWaits($first:Int$after:String$last:Int$before:String$kind:WaitKind!){waitConnection(first:$first after:$after last:$last before:$before kind:$kind status:PENDING){edges{node{...WaitInList}}pageInfo{startCursor endCursor hasPreviousPage hasNextPage}totalCount latestChange}}fragment WaitInDetail on Wait{id kind status step title text integrationType reference url connectUrl createdAt expiresAt runId}fragment WaitInList on Wait{...WaitInDetail run{id isTest workflow{id name}}}" as unknown as DocumentNode<PendingWaitsQuery, PendingWaitsQueryVariables>;
export const WaitsOfRunDocument = "query WaitsOfRun($runId:ID!){waits(runId:$runId status:PENDING perPage:20){items{...WaitInDetail}latestChange}}fragment WaitInDetail on Wait{id kind status step title text integrationType reference url connectUrl createdAt expiresAt runId}" as unknown as DocumentNode<WaitsOfRunQuery, WaitsOfRunQueryVariables>;
export const WaitChangesDocument = "subscription WaitChanges($kind:WaitKind$runId:ID$after:ID){waitChanged(kind:$kind runId:$runId after:$after){id status wait{id status}}}" as unknown as DocumentNode<WaitChangesSubscription, WaitChangesSubscriptionVariables>;
export const AppOfWaitDocument = "query AppOfWait($type:String!){integrationType(type:$type){type name}}" as unknown as DocumentNode<AppOfWaitQuery, AppOfWaitQueryVariables>;