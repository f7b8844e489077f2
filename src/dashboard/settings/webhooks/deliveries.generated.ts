/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WebhookStatus } from '../../graphql/enums.generated.js';
import type { ActorKind } from '../../graphql/enums.generated.js';
import type { WebhookDeliveryStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type RedeliveryInput = {
  since: string;
  until?: string | null | undefined;
  status?: WebhookDeliveryStatus | null | undefined;
};

export type WebhookQueryVariables = Exact<{
  id: string;
  page: number;
  perPage: number;
  status?: WebhookDeliveryStatus | null | undefined;
}>;


export type WebhookQuery = { webhook: { id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, deliveries: { items: Array<{ id: string, type: string, status: WebhookDeliveryStatus, attempts: number, responseStatus: number | null, responseBody: string | null, error: string | null, nextAttemptAt: string | null, createdAt: string, completedAt: string | null }>, meta: { page: number, perPage: number, total: number } }, disabledBy: { id: string, kind: ActorKind, name: string | null } | null } };

export type DeliveryRowFragment = { id: string, type: string, status: WebhookDeliveryStatus, attempts: number, responseStatus: number | null, responseBody: string | null, error: string | null, nextAttemptAt: string | null, createdAt: string, completedAt: string | null };

export type DeliveryLogQueryVariables = Exact<{
  webhookId: string;
  id: string;
}>;


export type DeliveryLogQuery = { webhookDelivery: { id: string, eventId: string, subject: string | null, redelivers: string | null, body: unknown, tries: Array<{ at: string, responseStatus: number | null, error: string | null, durationMs: number | null }> } };

export type TestWebhookMutationVariables = Exact<{
  id: string;
}>;


export type TestWebhookMutation = { testWebhook: { id: string, type: string, status: WebhookDeliveryStatus, attempts: number, responseStatus: number | null, responseBody: string | null, error: string | null, nextAttemptAt: string | null, createdAt: string, completedAt: string | null } };

export type RedeliverWebhookDeliveryMutationVariables = Exact<{
  webhookId: string;
  deliveryId: string;
}>;


export type RedeliverWebhookDeliveryMutation = { redeliverWebhookDelivery: { id: string, type: string, status: WebhookDeliveryStatus, attempts: number, responseStatus: number | null, responseBody: string | null, error: string | null, nextAttemptAt: string | null, createdAt: string, completedAt: string | null } };

export type RedeliverWebhookMutationVariables = Exact<{
  id: string;
  input: RedeliveryInput;
}>;


export type RedeliverWebhookMutation = { redeliverWebhook: { deliveries: number } };

export type WebhookFactsFragment = { id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, disabledBy: { id: string, kind: ActorKind, name: string | null } | null };

export type PagingFragment = { page: number, perPage: number, total: number };

export type ActorNameFragment = { id: string, kind: ActorKind, name: string | null };

export const WebhookDocument = "query Webhook($id:ID!$page:Int!$perPage:Int!$status:WebhookDeliveryStatus){webhook(id:$id){...WebhookFacts deliveries(page:$page perPage:$perPage status:$status){items{...DeliveryRow}meta{...Paging}}}}fragment ActorName on Actor{id kind name}fragment WebhookFacts on Webhook{id url events workflowId status statusReason disabledBy{...ActorName}createdAt}fragment DeliveryRow on WebhookDelivery{id type status attempts responseStatus responseBody error nextAttemptAt createdAt completedAt}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<WebhookQuery, WebhookQueryVariables>;
export const DeliveryLogDocument = "query DeliveryLog($webhookId:ID!$id:ID!){webhookDelivery(webhookId:$webhookId id:$id){id eventId subject redelivers body tries{at responseStatus error durationMs}}}" as unknown as DocumentNode<DeliveryLogQuery, DeliveryLogQueryVariables>;
export const TestWebhookDocument = "mutation TestWebhook($id:ID!){testWebhook(id:$id){...DeliveryRow}}fragment DeliveryRow on WebhookDelivery{id type status attempts responseStatus responseBody error nextAttemptAt createdAt completedAt}" as unknown as DocumentNode<TestWebhookMutation, TestWebhookMutationVariables>;
export const RedeliverWebhookDeliveryDocument = "mutation RedeliverWebhookDelivery($webhookId:ID!$deliveryId:ID!){redeliverWebhookDelivery(webhookId:$webhookId deliveryId:$deliveryId){...DeliveryRow}}fragment DeliveryRow on WebhookDelivery{id type status attempts responseStatus responseBody error nextAttemptAt createdAt completedAt}" as unknown as DocumentNode<RedeliverWebhookDeliveryMutation, RedeliverWebhookDeliveryMutationVariables>;
export const RedeliverWebhookDocument = "mutation RedeliverWebhook($id:ID!$input:RedeliveryInput!){redeliverWebhook(id:$id input:$input){deliveries}}" as unknown as DocumentNode<RedeliverWebhookMutation, RedeliverWebhookMutationVariables>;