import { type TemplateFor } from '../template.js';
import { formToHubspot } from './form-to-hubspot.js';
import { healthCheck } from './health-check.js';
import { issueToTodoist } from './issue-to-todoist.js';
import { orderToSlack } from './order-to-slack.js';
import { paymentReceipt } from './payment-receipt.js';

/** The templates, in the order in which a new workflow offers them. */
export const TEMPLATES: readonly TemplateFor[] = [
  orderToSlack,
  formToHubspot,
  healthCheck,
  issueToTodoist,
  paymentReceipt,
];
