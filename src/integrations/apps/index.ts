import { airtable } from './catalog/airtable.js';
import { github } from './catalog/github.js';
import { googleCalendar } from './catalog/google_calendar.js';
import { hubspot } from './catalog/hubspot.js';
import { linear } from './catalog/linear.js';
import { microsoftOutlook } from './catalog/microsoft_outlook.js';
import { notion } from './catalog/notion.js';
import { sendgrid } from './catalog/sendgrid.js';
import { slack } from './catalog/slack.js';
import { stripe } from './catalog/stripe.js';
import { SANDBOX_TYPES } from './sandbox.js';

/** The built-in applications of the outside world, one file each in `catalog/`. */
export const catalog = [
  airtable,
  github,
  googleCalendar,
  hubspot,
  linear,
  microsoftOutlook,
  notion,
  sendgrid,
  slack,
  stripe,
] as const;

/** The type of an app of the catalog. */
export type CatalogType = (typeof catalog)[number]['type'];

/** What an app of APPS_FILE may not be called: the catalog and the sandbox apps, also where those are off. */
export const builtInTypes: ReadonlySet<string> = new Set([...catalog.map(({ type }) => type), ...SANDBOX_TYPES]);
