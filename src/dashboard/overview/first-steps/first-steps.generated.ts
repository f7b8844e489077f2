/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WorkflowStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type FirstStepsQueryVariables = Exact<{ [key: string]: never; }>;


export type FirstStepsQuery = { workflows: { items: Array<{ id: string, name: string, status: WorkflowStatus, actions: Array<{ name: string }> }>, meta: { page: number, perPage: number, total: number } }, integrations: { items: Array<{ id: string }> }, triggers: { items: Array<{ id: string, workflowId: string }> }, succeeded: { items: Array<{ id: string }> }, failed: { items: Array<{ id: string }> }, apiKeys: { items: Array<{ id: string }> }, integrationTypes: { items: Array<{ type: string }> } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const FirstStepsDocument = "query FirstSteps{workflows(perPage:20){items{id name status actions{name}}meta{...Paging}}integrations(status:CONNECTED perPage:1){items{id}}triggers(perPage:1){items{id workflowId}}succeeded:runs(status:SUCCEEDED perPage:1){items{id}}failed:runs(status:FAILED perPage:1){items{id}}apiKeys(perPage:1){items{id}}integrationTypes(search:\"sandbox_oauth\" perPage:1){items{type}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<FirstStepsQuery, FirstStepsQueryVariables>;