import { Account } from '../features/accounts/account.entity.js';
import { ActionList } from '../features/actions/action.entity.js';
import { ApiKey } from '../features/api-keys/api-key.entity.js';
import { AuditEntry } from '../features/audit-log/audit-entry.entity.js';
import { IdempotencyKey } from '../features/idempotency/idempotency-key.entity.js';
import { Authorization } from '../features/integrations/connect/authorization.entity.js';
import { ConnectSession } from '../features/integrations/connect/connect-session.entity.js';
import { Integration } from '../features/integrations/integration.entity.js';
import { IntegrationStatusChange } from '../features/integrations/changes/integration-change.entity.js';
import { BulkChange } from '../features/runs/bulk/bulk-change.entity.js';
import { BulkOperation } from '../features/runs/bulk/bulk-operation.entity.js';
import { Run } from '../features/runs/run.entity.js';
import { Step } from '../features/runs/step.entity.js';
import { Trigger } from '../features/triggers/trigger.entity.js';
import { Invitation } from '../features/users/invitations/invitation.entity.js';
import { User } from '../features/users/user.entity.js';
import { WaitChange } from '../features/waits/changes/wait-change.entity.js';
import { LoggedEvent } from '../features/webhooks/log/event.entity.js';
import { Wait } from '../features/waits/wait.entity.js';
import { Webhook } from '../features/webhooks/webhook.entity.js';
import { WebhookDelivery } from '../features/webhooks/deliveries/webhook-delivery.entity.js';
import { Workflow } from '../features/workflows/workflow.entity.js';

/** Every TypeORM entity, listed by hand. */
export const entities = [
  Account,
  User,
  Invitation,
  ApiKey,
  AuditEntry,
  IdempotencyKey,
  Workflow,
  ActionList,
  Integration,
  IntegrationStatusChange,
  Authorization,
  ConnectSession,
  Trigger,
  Run,
  Step,
  BulkOperation,
  BulkChange,
  Wait,
  WaitChange,
  LoggedEvent,
  Webhook,
  WebhookDelivery,
];
