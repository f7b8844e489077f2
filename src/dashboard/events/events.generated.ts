/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RecentEventsQueryVariables = Exact<{
  before?: string | null | undefined;
  types?: Array<string> | null | undefined;
  limit: number;
}>;


export type RecentEventsQuery = { webhookEvents: Array<string>, recentEvents: Array<{ id: string, type: string, timestamp: string, data: unknown }>, account: { id: string, eventLog: boolean } };

export type NewEventsSubscriptionVariables = Exact<{
  types?: Array<string> | null | undefined;
}>;


export type NewEventsSubscription = { eventOccurred: { id: string } };


export const RecentEventsDocument = "query RecentEvents($before:ID$types:[String!]$limit:Int!){recentEvents(before:$before types:$types limit:$limit){id type timestamp data}webhookEvents account{id eventLog}}" as unknown as DocumentNode<RecentEventsQuery, RecentEventsQueryVariables>;
export const NewEventsDocument = "subscription NewEvents($types:[String!]){eventOccurred(types:$types){id}}" as unknown as DocumentNode<NewEventsSubscription, NewEventsSubscriptionVariables>;