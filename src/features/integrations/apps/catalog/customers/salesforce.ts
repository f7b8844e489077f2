import { defineApp } from '../../app.js';

/** My Domain is the host of both sign-in and API, for sandboxes, too. Token responses state no lifetime. */
export const salesforce = defineApp({
  type: 'salesforce',
  name: 'Salesforce',
  documentationUrl: 'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://{my_domain}.my.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{my_domain}.my.salesforce.com/services/oauth2/token',
    revocationUrl: 'https://{my_domain}.my.salesforce.com/services/oauth2/revoke',
    scopes: ['openid', 'api', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_post',
  },
  apiBaseUrl: 'https://{my_domain}.my.salesforce.com',
  parameters: {
    my_domain: {
      description: 'Your My Domain: acme of acme.my.salesforce.com, or acme--dev.sandbox for a sandbox',
      pattern: '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.(?:sandbox|develop|scratch|trailblaze))?',
    },
  },
  identity: {
    url: 'https://{my_domain}.my.salesforce.com/services/oauth2/userinfo',
    id: 'user_id',
    name: 'preferred_username',
  },
});
