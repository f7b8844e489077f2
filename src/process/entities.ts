import { Account } from '../features/accounts/account.entity.js';
import { ActionList } from '../features/actions/action.entity.js';
import { ApiKey } from '../features/api-keys/api-key.entity.js';
import { IdempotencyKey } from '../features/idempotency/idempotency-key.entity.js';
import { Authorization } from '../features/integrations/connect/authorization.entity.js';
import { ConnectSession } from '../features/integrations/connect/connect-session.entity.js';
import { Integration } from '../features/integrations/integration.entity.js';
import { IntegrationStatusChange } from '../features/integrations/changes/integration-change.entity.js';
import { Run } from '../features/runs/run.entity.js';
import { Step } from '../features/runs/step.entity.js';
import { Trigger } from '../features/triggers/trigger.entity.js';
import { Invitation } from '../features/users/invitations/invitation.entity.js';
import { User } from '../features/users/user.entity.js';
import { Webhook } from '../features/webhooks/webhook.entity.js';
import { WebhookDelivery } from '../features/webhooks/webhook-delivery.entity.js';
import { Workflow } from '../features/workflows/workflow.entity.js';

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
