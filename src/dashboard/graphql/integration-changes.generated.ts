/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { IntegrationStatus } from './enums.generated.js';
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type IntegrationChangesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type IntegrationChangesSubscription = { integrationStatusChanged: { id: string, status: IntegrationStatus, previousStatus: IntegrationStatus | null, reason: string | null, version: number, integration: { id: string, name: string, type: string, status: IntegrationStatus, statusReason: string | null, connectedAt: string | null, expiresAt: string | null, renews: boolean, version: number } } };


export const IntegrationChangesDocument = "subscription IntegrationChanges($after:ID){integrationStatusChanged(after:$after){id status previousStatus reason version integration{id name type status statusReason connectedAt expiresAt renews version}}}" as unknown as DocumentNode<IntegrationChangesSubscription, IntegrationChangesSubscriptionVariables>;