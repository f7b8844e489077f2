import { appRequest } from './app_request.js';
import { condition } from './condition.js';
import { delay } from './delay.js';
import { httpRequest } from './http_request.js';
import { sendEmail } from './send_email.js';
import { waitForApproval } from './wait_for_approval.js';
import { waitForCallback } from './wait_for_callback.js';
import { waitForConnection } from './wait_for_connection.js';

/** Every kind of action, one file each in this folder. */
export const actionKinds = [
  appRequest,
  condition,
  delay,
  httpRequest,
  sendEmail,
  waitForApproval,
  waitForCallback,
  waitForConnection,
] as const;
