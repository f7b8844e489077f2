/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TriggerType } from '../graphql/enums.generated.js';
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TriggerStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CreateTriggerInput = {
  workflowId: string;
  type: TriggerType;
  config?: Record<string, unknown> | null | undefined;
  name?: string | null | undefined;
};

export type UpdateTriggerInput = {
  config?: Record<string, unknown> | null | undefined;
  status?: TriggerStatus | null | undefined;
  name?: string | null | undefined;
};

export type TriggersQueryVariables = Exact<{
  page: number;
  perPage: number;
  type?: TriggerType | null | undefined;
  status?: TriggerStatus | null | undefined;
  workflowId?: string | null | undefined;
  search?: string | null | undefined;
}>;


export type TriggersQuery = { triggers: { items: Array<{ webhookUrl: string | null, id: string, name: string | null, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, scheduleInWords: string | null, nextFireAt: string | null, createdAt: string, workflowId: string, workflow: { id: string, name: string, status: WorkflowStatus }, lastRun: { id: string, createdAt: string } | null }>, meta: { page: number, perPage: number, total: number } } };

export type TriggerQueryVariables = Exact<{
  id: string;
}>;


export type TriggerQuery = { trigger: { webhookUrl: string | null, unreadable: string | null, id: string, name: string | null, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, scheduleInWords: string | null, nextFireAt: string | null, createdAt: string, workflowId: string, workflow: { id: string, name: string, status: WorkflowStatus }, lastRun: { id: string, createdAt: string } | null } };

export type TriggerVersionQueryVariables = Exact<{
  id: string;
}>;


export type TriggerVersionQuery = { trigger: { id: string, config: Record<string, unknown>, etag: string } };

export type CreateTriggerMutationVariables = Exact<{
  input: CreateTriggerInput;
}>;


export type CreateTriggerMutation = { createTrigger: { webhookUrl: string | null, id: string, name: string | null, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, scheduleInWords: string | null, nextFireAt: string | null, createdAt: string, workflowId: string, workflow: { id: string, name: string, status: WorkflowStatus } } };

export type UpdateTriggerMutationVariables = Exact<{
  id: string;
  input: UpdateTriggerInput;
  version?: string | null | undefined;
}>;


export type UpdateTriggerMutation = { updateTrigger: { id: string, name: string | null, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, scheduleInWords: string | null, nextFireAt: string | null, createdAt: string, workflowId: string, workflow: { id: string, name: string, status: WorkflowStatus } } };

export type DeleteTriggerMutationVariables = Exact<{
  id: string;
}>;


export type DeleteTriggerMutation = { deleteTrigger: string };

export type LastFiredFragment = { lastRun: { id: string, createdAt: string } | null };

export type TriggerInListFragment = { id: string, name: string | null, type: TriggerType, status: TriggerStatus, config: Record<string, unknown>, scheduleInWords: string | null, nextFireAt: string | null, createdAt: string, workflowId: string, workflow: { id: string, name: string, status: WorkflowStatus } };

export type PagingFragment = { page: number, perPage: number, total: number };

export const TriggersDocument = "query Triggers($page:Int!$perPage:Int!$type:TriggerType$status:TriggerStatus$workflowId:ID$search:String){triggers(page:$page perPage:$perPage type:$type status:$status workflowId:$workflowId search:$search){items{...TriggerInList webhookUrl ...LastFired}meta{...Paging}}}fragment TriggerInList on Trigger{id name type status config scheduleInWords nextFireAt createdAt workflowId workflow{id name status}}fragment LastFired on Trigger{lastRun{id createdAt}}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<TriggersQuery, TriggersQueryVariables>;
export const TriggerDocument = "query Trigger($id:ID!){trigger(id:$id){...TriggerInList webhookUrl unreadable ...LastFired}}fragment TriggerInList on Trigger{id name type status config scheduleInWords nextFireAt createdAt workflowId workflow{id name status}}fragment LastFired on Trigger{lastRun{id createdAt}}" as unknown as DocumentNode<TriggerQuery, TriggerQueryVariables>;
export const TriggerVersionDocument = "query TriggerVersion($id:ID!){trigger(id:$id){id config etag}}" as unknown as DocumentNode<TriggerVersionQuery, TriggerVersionQueryVariables>;
export const CreateTriggerDocument = "mutation CreateTrigger($input:CreateTriggerInput!){createTrigger(input:$input){...TriggerInList webhookUrl}}fragment TriggerInList on Trigger{id name type status config scheduleInWords nextFireAt createdAt workflowId workflow{id name status}}" as unknown as DocumentNode<CreateTriggerMutation, CreateTriggerMutationVariables>;
export const UpdateTriggerDocument = "mutation UpdateTrigger($id:ID!$input:UpdateTriggerInput!$version:String){updateTrigger(id:$id input:$input expectedVersion:$version){...TriggerInList}}fragment TriggerInList on Trigger{id name type status config scheduleInWords nextFireAt createdAt workflowId workflow{id name status}}" as unknown as DocumentNode<UpdateTriggerMutation, UpdateTriggerMutationVariables>;
export const DeleteTriggerDocument = "mutation DeleteTrigger($id:ID!){deleteTrigger(id:$id)}" as unknown as DocumentNode<DeleteTriggerMutation, DeleteTriggerMutationVariables>;