/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WaitStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type WaitingCountQueryVariables = Exact<{ [key: string]: never; }>;


export type WaitingCountQuery = { waitConnection: { totalCount: number, latestChange: string } };

export type WaitingCountChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type WaitingCountChangesSubscription = { waitChanged: { id: string, status: WaitStatus } };


export const WaitingCountDocument = "query WaitingCount{waitConnection(status:PENDING first:1){totalCount latestChange}}" as unknown as DocumentNode<WaitingCountQuery, WaitingCountQueryVariables>;
export const WaitingCountChangesDocument = "subscription WaitingCountChanges($after:ID){waitChanged(after:$after){id status}}" as unknown as DocumentNode<WaitingCountChangesSubscription, WaitingCountChangesSubscriptionVariables>;