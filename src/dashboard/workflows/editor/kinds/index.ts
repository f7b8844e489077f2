import { type ActionKind } from '../../../graphql/enums.generated.js';
import { appRequest } from './app-request.js';
import { condition } from './condition.js';
import { type KindDefinition } from './define-kind.js';
import { delay } from './delay.js';
import { httpRequest } from './http-request.js';
import { sendEmail } from './send-email.js';
import { waitForApproval } from './waits/wait-for-approval.js';
import { waitForCallback } from './waits/wait-for-callback.js';
import { waitForConnection } from './waits/wait-for-connection.js';

/** Every kind of action, in the order in which they are offered. */
export const KINDS: readonly KindDefinition[] = [
  httpRequest,
  appRequest,
  condition,
  delay,
  sendEmail,
  waitForApproval,
  waitForCallback,
  waitForConnection,
];

/** The editor's definition of a kind. */
export function kindOf(kind: ActionKind): KindDefinition {
  return KINDS.find((definition) => definition.kind === kind)!;
}
