export type WebhookStatus =
  | 'ENABLED'
  | 'DISABLED';

export type ActorKind =
  | 'USER'
  | 'API_KEY';

export type WebhookDeliveryStatus =
  | 'PENDING'
  | 'SUCCEEDED'
  | 'FAILED';

export type ApiKeyScope =
  | 'READ_ONLY'
  | 'READ_WRITE';

export type AuthKind =
  | 'OAUTH2'
  | 'API_KEY';

export type IntegrationStatus =
  | 'PENDING'
  | 'CONNECTED'
  | 'EXPIRED'
  | 'DISCONNECTED';

export type EventsProof =
  | 'MADE'
  | 'SET'
  | 'APPLICATION'
  | 'MISSING'
  | 'NONE';

export type TriggerType =
  | 'SCHEDULE'
  | 'WEBHOOK'
  | 'APP_EVENT'
  | 'MANUAL';

export type RunStatus =
  | 'QUEUED'
  | 'RUNNING'
  | 'WAITING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELED'
  | 'SKIPPED';

export type ActionKind =
  | 'APP_REQUEST'
  | 'CONDITION'
  | 'DELAY'
  | 'HTTP_REQUEST'
  | 'SEND_EMAIL'
  | 'WAIT_FOR_APPROVAL'
  | 'WAIT_FOR_CALLBACK'
  | 'WAIT_FOR_CONNECTION';

export type StepStatus =
  | 'RUNNING'
  | 'WAITING'
  | 'SUCCEEDED'
  | 'FAILED';

export type WaitStatus =
  | 'PENDING'
  | 'ANSWERED'
  | 'EXPIRED'
  | 'CANCELED';

export type WaitKind =
  | 'CONNECTION'
  | 'APPROVAL'
  | 'CALLBACK'
  | 'RUN';

export type WorkflowStatus =
  | 'ACTIVE'
  | 'DRAFT'
  | 'PAUSED'
  | 'ARCHIVED';

export type StatisticsBucket =
  | 'HOUR'
  | 'DAY';

export type BulkKind =
  | 'RETRY'
  | 'CANCEL';

export type BulkStatus =
  | 'RUNNING'
  | 'DONE'
  | 'CANCELED';

export type TriggerStatus =
  | 'ACTIVE'
  | 'PAUSED'
  | 'ERROR';

export type AuditActorKind =
  | 'USER'
  | 'API_KEY'
  | 'CONNECT_SESSION'
  | 'COMMAND'
  | 'SERVICE';

export type RetryFrom =
  | 'FAILED_STEP'
  | 'START';

export type ApprovalDecision =
  | 'APPROVED'
  | 'DENIED';
