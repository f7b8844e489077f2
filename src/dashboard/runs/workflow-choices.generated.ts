/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WorkflowStatus } from '../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type WorkflowChoicesQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type WorkflowChoicesQuery = { workflows: { items: Array<{ id: string, name: string, status: WorkflowStatus }> } };

export type WorkflowNameQueryVariables = Exact<{
  id: string;
}>;


export type WorkflowNameQuery = { workflow: { id: string, name: string, status: WorkflowStatus } };


export const WorkflowChoicesDocument = "query WorkflowChoices($search:String){workflows(page:1 perPage:20 search:$search){items{id name status}}}" as unknown as DocumentNode<WorkflowChoicesQuery, WorkflowChoicesQueryVariables>;
export const WorkflowNameDocument = "query WorkflowName($id:ID!){workflow(id:$id){id name status}}" as unknown as DocumentNode<WorkflowNameQuery, WorkflowNameQueryVariables>;