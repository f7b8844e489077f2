/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type ActivateWorkflowMutationVariables = Exact<{
  id: string;
}>;


export type ActivateWorkflowMutation = { updateWorkflow: { id: string, status: WorkflowStatus, updatedAt: string, triggers: { items: Array<{ id: string, nextFireAt: string | null }> } } };


export const ActivateWorkflowDocument = "mutation ActivateWorkflow($id:ID!){updateWorkflow(id:$id input:{status:ACTIVE}){id status updatedAt triggers(perPage:100){items{id nextFireAt}}}}" as unknown as DocumentNode<ActivateWorkflowMutation, ActivateWorkflowMutationVariables>;