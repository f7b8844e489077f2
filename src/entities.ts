import { Account } from './accounts/account.entity.js';
import { ActionList } from './actions/action.entity.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { Authorization } from './integrations/authorization.entity.js';
import { ConnectSession } from './integrations/connect-session.entity.js';
import { Integration } from './integrations/integration.entity.js';
import { IntegrationStatusChange } from './integrations/integration-change.entity.js';
import { Run } from './runs/run.entity.js';
import { Step } from './runs/step.entity.js';
import { Trigger } from './triggers/trigger.entity.js';
import { Invitation } from './users/invitation.entity.js';
import { User } from './users/user.entity.js';
import { Webhook } from './webhooks/webhook.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { Workflow } from './workflows/workflow.entity.js';

/** Every TypeORM entity, listed by hand. */
export const entities = [
  Account,
  User,
  Invitation,
  ApiKey,
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
  Webhook,
  WebhookDelivery,
];
