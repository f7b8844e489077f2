/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WaitStatus } from '../../graphql/enums.generated.js';
import type { ApprovalDecision } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type DecidedQueryVariables = Exact<{
  id: string;
}>;


export type DecidedQuery = { wait: { id: string, status: WaitStatus, answer: unknown, answeredBy: string | null, answeredAt: string | null, expiresAt: string | null } };

export type WaitDecidedSubscriptionVariables = Exact<{
  id: string;
}>;


export type WaitDecidedSubscription = { waitChanged: { id: string, wait: { id: string, status: WaitStatus, answer: unknown, answeredBy: string | null, answeredAt: string | null, expiresAt: string | null } } };

export type DecideWaitMutationVariables = Exact<{
  id: string;
  decision: ApprovalDecision;
  comment?: string | null | undefined;
}>;


export type DecideWaitMutation = { answerWait: { id: string, status: WaitStatus, answer: unknown, answeredBy: string | null, answeredAt: string | null, expiresAt: string | null } };

export type DecidedWaitFragment = { id: string, status: WaitStatus, answer: unknown, answeredBy: string | null, answeredAt: string | null, expiresAt: string | null };

export const DecidedDocument = "query Decided($id:ID!){wait(id:$id){...DecidedWait}}fragment DecidedWait on Wait{id status answer answeredBy answeredAt expiresAt}" as unknown as DocumentNode<DecidedQuery, DecidedQueryVariables>;
export const WaitDecidedDocument = "subscription WaitDecided($id:ID!){waitChanged(waitId:$id){id wait{...DecidedWait}}}fragment DecidedWait on Wait{id status answer answeredBy answeredAt expiresAt}" as unknown as DocumentNode<WaitDecidedSubscription, WaitDecidedSubscriptionVariables>;
export const DecideWaitDocument = "mutation DecideWait($id:ID!$decision:ApprovalDecision!$comment:String){answerWait(id:$id answer:{decision:$decision comment:$comment}){...DecidedWait}}fragment DecidedWait on Wait{id status answer answeredBy answeredAt expiresAt}" as unknown as DocumentNode<DecideWaitMutation, DecideWaitMutationVariables>;