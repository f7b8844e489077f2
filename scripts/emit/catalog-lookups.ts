/** The day on which every application was checked. */
export const LOOKED_UP = '2026-11-22';

/** The result of the check of an application. */
interface Lookup {
  /** Whether tokens or keys expire; with an asterisk where the sources below do not state it. */
  tokens: string;
  /** The sources: URLs, `repository path`, or `code` for the URL itself in public code. */
  at: readonly string[];
  /** Facts that no source states, so that they were left unchanged. */
  missing?: string;
}

const n8n = (name: string): string => `n8n-io/n8n packages/nodes-base/credentials/${name}.credentials.ts`;
const GOOGLE: Lookup = {
  tokens: 'access tokens end; refresh tokens for offline access',
  at: [n8n('GoogleOAuth2Api')],
  missing: 'a newer page of Google itself',
};
const GRAPH = [
  n8n('MicrosoftOAuth2Api'),
  'https://learn.microsoft.com/en-us/graph/api/resources/changenotification',
  'https://learn.microsoft.com/graph/change-notifications-lifecycle-events',
];
const KEY = 'as the user made the key*';

/** The lookups by type. */
export const lookups: Readonly<Record<string, Lookup>> = {
  airtable: { tokens: KEY, at: [n8n('AirtableTokenApi')] },
  anthropic: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  asana: { tokens: 'after an hour*', at: [n8n('AsanaOAuth2Api')], missing: 'scopes and revocation' },
  bigcommerce: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  bitbucket: {
    tokens: 'after 2 hours*',
    at: [
      'https://community.atlassian.com/forums/Bitbucket-articles/Announcing-sunset-of-Bitbucket-Issues-and-Wikis/ba-p/3193882',
      'https://gitlab.com/gitlab-org/gitlab/-/work_items/601061',
    ],
    missing: 'revocation',
  },
  box: { tokens: 'after about an hour*', at: [n8n('BoxOAuth2Api')], missing: 'revocation' },
  brevo: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  calendly: {
    tokens: 'after 2 hours*',
    at: [
      'https://developer.calendly.com/api-docs/overview/webhooks/webhook-signatures',
      'code: `https://auth.calendly.com/oauth/revoke`, client in the body',
    ],
    missing: 'whether a scope can be asked for',
  },
  circleci: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  clickup: {
    tokens: 'not stated*',
    at: ['https://developer.clickup.com/docs/webhooksignature', n8n('ClickUpOAuth2Api')],
    missing: 'revocation',
  },
  cloudflare: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  digitalocean: { tokens: 'after 30 days*', at: ['code'], missing: 'a page of the provider' },
  discord: { tokens: 'after 7 days*', at: [n8n('DiscordOAuth2Api')], missing: 'PKCE' },
  dropbox: {
    tokens: 'after 4 hours*; a refresh token for offline access',
    at: [n8n('DropboxOAuth2Api')],
    missing: 'a revocation in the form of RFC 7009',
  },
  figma: {
    tokens: KEY,
    at: ['https://developers.figma.com/docs/rest-api/webhooks-security'],
    missing: 'a signature beside the passcode',
  },
  github: {
    tokens: 'do not end*',
    at: [n8n('GithubOAuth2Api')],
    missing: 'a revocation in the form of RFC 7009',
  },
  gitlab: {
    tokens: 'after 2 hours*',
    at: [
      'https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944',
      'https://gitlab.com/gitlab-org/gitlab/-/merge_requests/231325',
    ],
    missing: 'the day on which signing tokens came to GitLab.com',
  },
  gmail: GOOGLE,
  google_calendar: GOOGLE,
  google_drive: GOOGLE,
  google_sheets: GOOGLE,
  hubspot: {
    tokens: 'after 30 minutes*',
    at: ['code: `https://api.hubapi.com/oauth/v3/token`', n8n('HubspotOAuth2Api')],
    missing: 'a revocation in the form of RFC 7009',
  },
  hugging_face: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  intercom: { tokens: 'do not end*', at: ['code'], missing: 'revocation' },
  jira: {
    tokens: 'after an hour*; a refresh token works once',
    at: ['https://mrrefactoring.github.io/jira.js/guide/oauth2-authentication'],
    missing: 'revocation: no token can be revoked by itself',
  },
  klaviyo: { tokens: KEY, at: ['code: address and revision'], missing: 'a page of the provider' },
  linear: {
    tokens: 'after a day*',
    at: ['https://linear.app/docs/api/sdk-webhooks', 'https://trigger.dev/docs/webhooks/providers/linear'],
  },
  linkedin: { tokens: 'after 60 days', at: [n8n('LinkedInOAuth2Api')], missing: 'revocation' },
  mailchimp: { tokens: 'do not end*', at: [n8n('MailchimpOAuth2Api')], missing: 'revocation' },
  microsoft_outlook: { tokens: 'after about an hour*', at: GRAPH, missing: 'revocation' },
  microsoft_teams: { tokens: 'after about an hour*', at: GRAPH, missing: 'revocation' },
  monday: {
    tokens: 'end, without a stated lifetime; a refresh token works once',
    at: [
      'https://developer.monday.com/apps/docs/migrating-to-the-new-oauth-flow',
      'mondaycom/agentic-monday plugins-official/monday-api/skills/monday-oauth-migrate/SKILL.md',
    ],
    missing: 'what a revoked token takes along',
  },
  netlify: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  notion: {
    tokens: 'as the token endpoint says*',
    at: ['code: `Notion-Version: 2026-03-11`'],
    missing: 'a revocation in the form of RFC 7009: its own takes JSON',
  },
  okta: { tokens: 'after 30 days without use*', at: [n8n('OktaApi')], missing: 'a page of the provider' },
  openai: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  pagerduty: {
    tokens: KEY,
    at: [
      'PagerDuty/developer-docs docs/webhooks/04-Signatures.md',
      'https://trigger.dev/docs/webhooks/providers/pagerduty',
      'code',
    ],
  },
  pipedrive: {
    tokens: 'after an hour*',
    at: [
      'https://developers.pipedrive.com/docs/api/v1/Oauth',
      'https://pipedrive.readme.io/docs/marketplace-oauth-authorization',
      'https://developers.pipedrive.com/changelog/post/new-parameter-in-oauth-oauthtoken-responses',
    ],
  },
  postmark: { tokens: KEY, at: [n8n('PostmarkApi')], missing: 'a signature of its webhooks' },
  quickbooks: {
    tokens: 'after an hour; refresh tokens after 100 days without use, and after 5 years',
    at: ['https://github.com/intuit/QuickBooks-V3-Java-SDK/releases/tag/v6.5.4', n8n('QuickBooksOAuth2Api')],
    missing: 'a revocation in the form of RFC 7009: its own takes JSON',
  },
  resend: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  salesforce: {
    tokens: 'as the org says*',
    at: [
      'https://developer.salesforce.com/docs/atlas.en-us.256.0.chatterapi.meta/chatterapi/intro_oauth_web_server_flow.htm',
      'https://jsforce.github.io/jsforce/types/oauth2.TokenResponse.html',
      n8n('SalesforceOAuth2Api'),
    ],
  },
  sendgrid: { tokens: KEY, at: [n8n('SendGridApi')] },
  sentry: { tokens: KEY, at: [n8n('SentryIoApi')] },
  shopify: {
    tokens: 'of the client credentials grant after 24 hours',
    at: [
      'https://shopify.dev/docs/apps/build/authentication-authorization/client-credentials-grant',
      'https://shopify.dev/docs/apps/build/authentication-authorization/client-secrets',
      'code: `2026-10`',
    ],
    missing: 'a way to renew such a token here: it is connected again',
  },
  slack: {
    tokens: 'only with token rotation*',
    at: [
      'https://docs.slack.dev/reference/events/message.channels',
      'https://docs.slack.dev/reference/scopes/channels.history',
      'https://docs.slack.dev/reference/events/team_join',
      'code: the scopes `app_mentions:read` and `reactions:read` with their events',
    ],
    missing: 'a revocation in the form of RFC 7009',
  },
  spotify: { tokens: 'after an hour*', at: [n8n('SpotifyOAuth2Api')], missing: 'revocation' },
  stripe: { tokens: KEY, at: [n8n('StripeApi')], missing: 'a newer page of the provider' },
  todoist: {
    tokens: 'of new apps, renewed; of older apps not',
    at: [
      'https://developer.todoist.com/api/v1/#tag/Authorization',
      'https://doist.github.io/todoist-sdk-typescript/api/functions/refreshAuthToken',
      'Doist/todoist-sdk-typescript src/consts/endpoints.ts',
    ],
  },
  typeform: {
    tokens: 'as the token endpoint says*; a refresh token with `offline`',
    at: [n8n('TypeformOAuth2Api'), 'https://trigger.dev/docs/webhooks/providers/typeform', 'code: `event_types`'],
    missing: 'revocation',
  },
  vercel: { tokens: KEY, at: ['code'], missing: 'a page of the provider' },
  xero: {
    tokens: 'after 30 minutes; a refresh token works once*',
    at: [
      'https://www.apideck.com/blog/xero-scopes.md',
      'https://github.com/osodevops/xero-cli/releases/tag/v0.5.0',
      n8n('XeroOAuth2Api'),
    ],
    missing: 'the page of Xero itself (developer.xero.com/faq/granular-scopes)',
  },
  zendesk: {
    tokens: 'end, with a refresh token that works once',
    at: [
      'https://developer.zendesk.com/documentation/api-basics/authentication/refresh-token',
      'https://support.zendesk.com/hc/en-us/articles/9182123625370-Announcing-support-for-OAuth-refresh-token-grant-type-and-OAuth-access-and-refresh-token-expirations',
    ],
    missing: 'a revocation in the form of RFC 7009',
  },
  zoom: {
    tokens: 'after an hour; a refresh token works once',
    at: [
      'https://developers.zoom.us/changelog/platform/api_url_access_token_response/',
      'anthropics/knowledge-work-plugins partner-built/zoom-plugin/skills/oauth/concepts/token-lifecycle.md',
      n8n('ZoomOAuth2Api'),
    ],
  },
};
