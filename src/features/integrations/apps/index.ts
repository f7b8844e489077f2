import { airtable } from './catalog/airtable.js';
import { anthropic } from './catalog/anthropic.js';
import { asana } from './catalog/asana.js';
import { bigcommerce } from './catalog/bigcommerce.js';
import { bitbucket } from './catalog/bitbucket.js';
import { box } from './catalog/box.js';
import { brevo } from './catalog/brevo.js';
import { calendly } from './catalog/calendly.js';
import { circleci } from './catalog/circleci.js';
import { clickup } from './catalog/clickup.js';
import { cloudflare } from './catalog/cloudflare.js';
import { digitalocean } from './catalog/digitalocean.js';
import { discord } from './catalog/discord.js';
import { dropbox } from './catalog/dropbox.js';
import { figma } from './catalog/figma.js';
import { github } from './catalog/github.js';
import { gitlab } from './catalog/gitlab.js';
import { gmail } from './catalog/gmail.js';
import { googleCalendar } from './catalog/google_calendar.js';
import { googleDrive } from './catalog/google_drive.js';
import { googleSheets } from './catalog/google_sheets.js';
import { hubspot } from './catalog/hubspot.js';
import { huggingFace } from './catalog/hugging_face.js';
import { intercom } from './catalog/intercom.js';
import { jira } from './catalog/jira.js';
import { klaviyo } from './catalog/klaviyo.js';
import { linear } from './catalog/linear.js';
import { linkedin } from './catalog/linkedin.js';
import { mailchimp } from './catalog/mailchimp.js';
import { microsoftOutlook } from './catalog/microsoft_outlook.js';
import { microsoftTeams } from './catalog/microsoft_teams.js';
import { monday } from './catalog/monday.js';
import { netlify } from './catalog/netlify.js';
import { notion } from './catalog/notion.js';
import { okta } from './catalog/okta.js';
import { openai } from './catalog/openai.js';
import { pagerduty } from './catalog/pagerduty.js';
import { pipedrive } from './catalog/pipedrive.js';
import { postmark } from './catalog/postmark.js';
import { quickbooks } from './catalog/quickbooks.js';
import { resend } from './catalog/resend.js';
import { salesforce } from './catalog/salesforce.js';
import { sendgrid } from './catalog/sendgrid.js';
import { sentry } from './catalog/sentry.js';
import { shopify } from './catalog/shopify.js';
import { slack } from './catalog/slack.js';
import { spotify } from './catalog/spotify.js';
import { stripe } from './catalog/stripe.js';
import { todoist } from './catalog/todoist.js';
import { typeform } from './catalog/typeform.js';
import { vercel } from './catalog/vercel.js';
import { xero } from './catalog/xero.js';
import { zendesk } from './catalog/zendesk.js';
import { zoom } from './catalog/zoom.js';
import { SANDBOX_TYPES } from './sandbox.js';

/** The built-in applications, except the sandbox. Each has a file in `catalog/`. */
export const catalog = [
  airtable,
  anthropic,
  asana,
  bigcommerce,
  bitbucket,
  box,
  brevo,
  calendly,
  circleci,
  clickup,
  cloudflare,
  digitalocean,
  discord,
  dropbox,
  figma,
  github,
  gitlab,
  gmail,
  googleCalendar,
  googleDrive,
  googleSheets,
  hubspot,
  huggingFace,
  intercom,
  jira,
  klaviyo,
  linear,
  linkedin,
  mailchimp,
  microsoftOutlook,
  microsoftTeams,
  monday,
  netlify,
  notion,
  okta,
  openai,
  pagerduty,
  pipedrive,
  postmark,
  quickbooks,
  resend,
  salesforce,
  sendgrid,
  sentry,
  shopify,
  slack,
  spotify,
  stripe,
  todoist,
  typeform,
  vercel,
  xero,
  zendesk,
  zoom,
] as const;

/** The types that an app of APPS_FILE may not use: the catalog and the sandbox apps, even if the sandbox is off. */
export const builtInTypes: ReadonlySet<string> = new Set([...catalog.map(({ type }) => type), ...SANDBOX_TYPES]);
