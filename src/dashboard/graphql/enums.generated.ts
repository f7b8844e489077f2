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
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELED'
  | 'SKIPPED';

export type ActionKind =
  | 'APP_REQUEST'
  | 'CONDITION'
  | 'DELAY'
  | 'HTTP_REQUEST'
  | 'SEND_EMAIL';

export type StepStatus =
  | 'RUNNING'
  | 'SUCCEEDED'
  | 'FAILED';

export type WebhookStatus =
  | 'ENABLED'
  | 'DISABLED';

export type WebhookDeliveryStatus =
  | 'PENDING'
  | 'SUCCEEDED'
  | 'FAILED';

export type WorkflowStatus =
  | 'ACTIVE'
  | 'DRAFT'
  | 'PAUSED'
  | 'ARCHIVED';

export type ApiKeyScope =
  | 'READ_ONLY'
  | 'READ_WRITE';

export type TriggerStatus =
  | 'ACTIVE'
  | 'PAUSED'
  | 'ERROR';

export type StatisticsBucket =
  | 'HOUR'
  | 'DAY';

export type RetryFrom =
  | 'FAILED_STEP'
  | 'START';
