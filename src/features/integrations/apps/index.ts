import { airtable } from './catalog/content/airtable.js';
import { anthropic } from './catalog/ai/anthropic.js';
import { asana } from './catalog/planning/asana.js';
import { bigcommerce } from './catalog/commerce/bigcommerce.js';
import { bitbucket } from './catalog/development/bitbucket.js';
import { box } from './catalog/content/box.js';
import { brevo } from './catalog/marketing/brevo.js';
import { calendly } from './catalog/planning/calendly.js';
import { circleci } from './catalog/development/circleci.js';
import { clickup } from './catalog/planning/clickup.js';
import { cloudflare } from './catalog/infrastructure/cloudflare.js';
import { digitalocean } from './catalog/infrastructure/digitalocean.js';
import { discord } from './catalog/messages/discord.js';
import { dropbox } from './catalog/content/dropbox.js';
import { figma } from './catalog/content/figma.js';
import { github } from './catalog/development/github.js';
import { gitlab } from './catalog/development/gitlab.js';
import { gmail } from './catalog/messages/gmail.js';
import { googleCalendar } from './catalog/planning/google_calendar.js';
import { googleDrive } from './catalog/content/google_drive.js';
import { googleSheets } from './catalog/content/google_sheets.js';
import { hubspot } from './catalog/customers/hubspot.js';
import { huggingFace } from './catalog/ai/hugging_face.js';
import { intercom } from './catalog/customers/intercom.js';
import { jira } from './catalog/planning/jira.js';
import { klaviyo } from './catalog/marketing/klaviyo.js';
import { linear } from './catalog/planning/linear.js';
import { linkedin } from './catalog/marketing/linkedin.js';
import { mailchimp } from './catalog/marketing/mailchimp.js';
import { microsoftOutlook } from './catalog/messages/microsoft_outlook.js';
import { microsoftTeams } from './catalog/messages/microsoft_teams.js';
import { monday } from './catalog/planning/monday.js';
import { netlify } from './catalog/infrastructure/netlify.js';
import { notion } from './catalog/content/notion.js';
import { okta } from './catalog/infrastructure/okta.js';
import { openai } from './catalog/ai/openai.js';
import { pagerduty } from './catalog/infrastructure/pagerduty.js';
import { pipedrive } from './catalog/customers/pipedrive.js';
import { postmark } from './catalog/messages/postmark.js';
import { quickbooks } from './catalog/commerce/quickbooks.js';
import { resend } from './catalog/messages/resend.js';
import { salesforce } from './catalog/customers/salesforce.js';
import { sendgrid } from './catalog/messages/sendgrid.js';
import { sentry } from './catalog/development/sentry.js';
import { shopify } from './catalog/commerce/shopify.js';
import { slack } from './catalog/messages/slack.js';
import { spotify } from './catalog/content/spotify.js';
import { stripe } from './catalog/commerce/stripe.js';
import { todoist } from './catalog/planning/todoist.js';
import { typeform } from './catalog/marketing/typeform.js';
import { vercel } from './catalog/infrastructure/vercel.js';
import { xero } from './catalog/commerce/xero.js';
import { zendesk } from './catalog/customers/zendesk.js';
import { zoom } from './catalog/messages/zoom.js';
import { type App } from './app.js';
import { type Category } from './categories.js';
import { SANDBOX_TYPES } from './sandbox.js';

/** The built-in applications, except the sandbox, by category. Each has a file in the folder of its category in `catalog/`. */
const BY_CATEGORY: Readonly<Record<Category, readonly App[]>> = {
  ai: [anthropic, huggingFace, openai],
  commerce: [bigcommerce, quickbooks, shopify, stripe, xero],
  content: [airtable, box, dropbox, figma, googleDrive, googleSheets, notion, spotify],
  customers: [hubspot, intercom, pipedrive, salesforce, zendesk],
  development: [bitbucket, circleci, github, gitlab, sentry],
  infrastructure: [cloudflare, digitalocean, netlify, okta, pagerduty, vercel],
  marketing: [brevo, klaviyo, linkedin, mailchimp, typeform],
  messages: [discord, gmail, microsoftOutlook, microsoftTeams, postmark, resend, sendgrid, slack, zoom],
  planning: [asana, calendly, clickup, googleCalendar, jira, linear, monday, todoist],
};

/** The same, in the order of their types. */
export const catalog: readonly App[] = Object.values(BY_CATEGORY)
  .flat()
  .sort((one, other) => (one.type < other.type ? -1 : 1));

const CATEGORY_OF = new Map(
  Object.entries(BY_CATEGORY).flatMap(([category, apps]) => apps.map(({ type }) => [type, category as Category])),
);

/** The category of a built-in application; null for the sandbox and for the applications of the operator. */
export function categoryOf(type: string): Category | null {
  return CATEGORY_OF.get(type) ?? null;
}

/** The types that an app of APPS_FILE may not use: the catalog and the sandbox apps, even if the sandbox is off. */
export const builtInTypes: ReadonlySet<string> = new Set([...catalog.map(({ type }) => type), ...SANDBOX_TYPES]);
