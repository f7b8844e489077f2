/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { WebhookStatus } from '../../graphql/enums.generated.js';
import type { ActorKind } from '../../graphql/enums.generated.js';
import type { WebhookDeliveryStatus } from '../../graphql/enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type CreateWebhookInput = {
  url: string;
  events: Array<string>;
  workflowId?: string | null | undefined;
};

export type UpdateWebhookInput = {
  url?: string | null | undefined;
  events?: Array<string> | null | undefined;
  status?: WebhookStatus | null | undefined;
};

export type WebhooksQueryVariables = Exact<{
  page: number;
  perPage: number;
}>;


export type WebhooksQuery = { webhooks: { items: Array<{ id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, deliveries: { items: Array<{ id: string, status: WebhookDeliveryStatus, createdAt: string }> }, disabledBy: { id: string, kind: ActorKind, name: string | null } | null }>, meta: { page: number, perPage: number, total: number } } };

export type WebhookFactsFragment = { id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, disabledBy: { id: string, kind: ActorKind, name: string | null } | null };

export type WebhookEventsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEventsQuery = { webhookEvents: Array<string> };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { secret: string, webhook: { id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, disabledBy: { id: string, kind: ActorKind, name: string | null } | null } } };

export type WebhookVersionQueryVariables = Exact<{
  id: string;
}>;


export type WebhookVersionQuery = { webhook: { id: string, url: string, events: Array<string>, etag: string } };

export type UpdateWebhookMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookInput;
  version?: string | null | undefined;
}>;


export type UpdateWebhookMutation = { updateWebhook: { id: string, url: string, events: Array<string>, workflowId: string | null, status: WebhookStatus, statusReason: string | null, createdAt: string, disabledBy: { id: string, kind: ActorKind, name: string | null } | null } };

export type RotateWebhookSecretMutationVariables = Exact<{
  id: string;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, webhook: { id: string } } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWebhookMutation = { deleteWebhook: string };

export type PagingFragment = { page: number, perPage: number, total: number };

export type ActorNameFragment = { id: string, kind: ActorKind, name: string | null };

export const WebhooksDocument = "query Webhooks($page:Int!$perPage:Int!){webhooks(page:$page perPage:$perPage){items{...WebhookFacts deliveries(perPage:1){items{id status createdAt}}}meta{...Paging}}}fragment ActorName on Actor{id kind name}fragment WebhookFacts on Webhook{id url events workflowId status statusReason disabledBy{...ActorName}createdAt}fragment Paging on PageMeta{page perPage total}" as unknown as DocumentNode<WebhooksQuery, WebhooksQueryVariables>;
export const WebhookEventsDocument = "query WebhookEvents{webhookEvents}" as unknown as DocumentNode<WebhookEventsQuery, WebhookEventsQueryVariables>;
export const CreateWebhookDocument = "mutation CreateWebhook($input:CreateWebhookInput!){createWebhook(input:$input){webhook{...WebhookFacts}secret}}fragment ActorName on Actor{id kind name}fragment WebhookFacts on Webhook{id url events workflowId status statusReason disabledBy{...ActorName}createdAt}" as unknown as DocumentNode<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const WebhookVersionDocument = "query WebhookVersion($id:ID!){webhook(id:$id){id url events etag}}" as unknown as DocumentNode<WebhookVersionQuery, WebhookVersionQueryVariables>;
export const UpdateWebhookDocument = "mutation UpdateWebhook($id:ID!$input:UpdateWebhookInput!$version:String){updateWebhook(id:$id input:$input expectedVersion:$version){...WebhookFacts}}fragment ActorName on Actor{id kind name}fragment WebhookFacts on Webhook{id url events workflowId status statusReason disabledBy{...ActorName}createdAt}" as unknown as DocumentNode<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const RotateWebhookSecretDocument = "mutation RotateWebhookSecret($id:ID!){rotateWebhookSecret(id:$id){webhook{id}secret}}" as unknown as DocumentNode<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const DeleteWebhookDocument = "mutation DeleteWebhook($id:ID!){deleteWebhook(id:$id)}" as unknown as DocumentNode<DeleteWebhookMutation, DeleteWebhookMutationVariables>;