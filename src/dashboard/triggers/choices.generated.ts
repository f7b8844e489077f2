/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { IntegrationStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type EventSourcesQueryVariables = Exact<{
  page: number;
}>;


export type EventSourcesQuery = { integrations: { items: Array<{ id: string, name: string, type: string, status: IntegrationStatus, reference: string | null, eventsUrl: string | null, integrationType: { type: string, name: string, events: Array<string> } | null }>, meta: { page: number, perPage: number, total: number } } };

export type CronPreviewQueryVariables = Exact<{
  cron: string;
  timezone: string;
}>;


export type CronPreviewQuery = { cronPreview: { description: string, next: Array<string> } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const EventSourcesDocument = "query EventSources($page:Int!){integrations(page:$page perPage:100){items{id name type status reference eventsUrl integrationType{type name events}}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<EventSourcesQuery, EventSourcesQueryVariables>;
export const CronPreviewDocument = "query CronPreview($cron:String!$timezone:String!){cronPreview(cron:$cron timezone:$timezone count:5){description next}}" as unknown as DocumentNode<CronPreviewQuery, CronPreviewQueryVariables>;