/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TriggerType } from '../graphql/enums.generated.js';
import type { RunStatus } from '../graphql/enums.generated.js';
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CreateWorkflowInput = {
  name: string;
  description?: string | null | undefined;
  status?: WorkflowStatus | null | undefined;
  failureNoticeAfter?: number | null | undefined;
};

export type WorkflowsQueryVariables = Exact<{
  page: number;
  perPage: number;
  status?: WorkflowStatus | null | undefined;
  search?: string | null | undefined;
}>;


export type WorkflowsQuery = { workflows: { items: Array<{ id: string, name: string, status: WorkflowStatus, runCount: number, lastRun: { id: string, status: RunStatus, createdAt: string } | null, triggers: { items: Array<{ id: string, type: TriggerType, nextFireAt: string | null }> } }>, meta: { page: number, perPage: number, total: number } } };

export type WorkflowActivityQueryVariables = Exact<{
  ids: Array<string>;
  from: string;
  timezone: string;
}>;


export type WorkflowActivityQuery = { nodes: Array<
    | { id: string, runStatistics: { sum: { succeeded: number, failed: number }, buckets: Array<{ from: string, succeeded: number, failed: number }> } | null }
    | Record<PropertyKey, never>
   | null> };

export type CreateWorkflowMutationVariables = Exact<{
  input: CreateWorkflowInput;
}>;


export type CreateWorkflowMutation = { createWorkflow: { id: string, name: string, status: WorkflowStatus, runCount: number, updatedAt: string } };

export type DuplicateWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type DuplicateWorkflowMutation = { duplicateWorkflow: { id: string, name: string, status: WorkflowStatus, runCount: number, updatedAt: string } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const WorkflowsDocument = "query Workflows($page:Int!$perPage:Int!$status:WorkflowStatus$search:String){workflows(page:$page perPage:$perPage status:$status search:$search){items{id name status runCount lastRun{id status createdAt}triggers(perPage:5){items{id type nextFireAt}}}meta{...Paging}}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<WorkflowsQuery, WorkflowsQueryVariables>;
export const WorkflowActivityDocument = "query WorkflowActivity($ids:[ID!]!$from:DateTime!$timezone:String!){nodes(ids:$ids){...on Workflow{id runStatistics(from:$from bucket:DAY timezone:$timezone){sum{succeeded failed}buckets{from succeeded failed}}}}}" as unknown as DocumentNode<WorkflowActivityQuery, WorkflowActivityQueryVariables>;
export const CreateWorkflowDocument = "mutation CreateWorkflow($input:CreateWorkflowInput!){createWorkflow(input:$input){id name status runCount updatedAt}}" as unknown as DocumentNode<CreateWorkflowMutation, CreateWorkflowMutationVariables>;
export const DuplicateWorkflowDocument = "mutation DuplicateWorkflow($id:ID!){duplicateWorkflow(id:$id){id name status runCount updatedAt}}" as unknown as DocumentNode<DuplicateWorkflowMutation, DuplicateWorkflowMutationVariables>;