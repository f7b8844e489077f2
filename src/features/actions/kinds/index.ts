import { appRequest } from './app_request.js';
import { condition } from './condition.js';
import { delay } from './delay.js';
import { httpRequest } from './http_request.js';
import { sendEmail } from './send_email.js';

/** Every kind of action, one file each in this folder. */
export const actionKinds = [appRequest, condition, delay, httpRequest, sendEmail] as const;
