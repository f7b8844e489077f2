/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { RunStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type TestWorkflowMutationVariables = Exact<{
  id: string;
  input?: unknown;
  headers?: unknown;
  query?: unknown;
}>;


export type TestWorkflowMutation = { testWorkflow: { id: string, status: RunStatus, isTest: boolean, createdAt: string } };


export const TestWorkflowDocument = "mutation TestWorkflow($id:ID!$input:JSON$headers:JSON$query:JSON){testWorkflow(workflowId:$id input:$input triggerHeaders:$headers triggerQuery:$query){id status isTest createdAt}}" as unknown as DocumentNode<TestWorkflowMutation, TestWorkflowMutationVariables>;