import { defineApp } from '../../app.js';

/** Mailchimp has no scopes. Tokens do not expire. */
export const mailchimp = defineApp({
  type: 'mailchimp',
  name: 'Mailchimp',
  documentationUrl: 'https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://login.mailchimp.com/oauth2/authorize',
    tokenUrl: 'https://login.mailchimp.com/oauth2/token',
    scopes: [],
    pkce: false,
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://{data_center}.api.mailchimp.com/3.0',
  parameters: {
    data_center: {
      description: 'Your data centre: us6 of https://us6.admin.mailchimp.com',
      pattern: '[a-z]{2,3}[0-9]{1,3}',
    },
  },
  identity: { url: 'https://{data_center}.api.mailchimp.com/3.0/', id: 'account_id', name: 'account_name' },
});
