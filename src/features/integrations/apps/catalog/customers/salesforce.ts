import { defineApp } from '../../app.js';

/** Token responses name the host of the API, but no lifetime. An organization may allow sign-in at its My Domain only. */
export const salesforce = defineApp({
  type: 'salesforce',
  name: 'Salesforce',
  documentationUrl: 'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_oauth_web_server_flow.htm',
  verified: false,
  auth: {
    kind: 'oauth2',
    authorizationUrl: 'https://{my_domain}.salesforce.com/services/oauth2/authorize',
    tokenUrl: 'https://{my_domain}.salesforce.com/services/oauth2/token',
    revocationUrl: 'https://{my_domain}.salesforce.com/services/oauth2/revoke',
    scopes: ['openid', 'api', 'refresh_token'],
    tokenEndpointAuthMethod: 'client_secret_post',
    captures: { instance_url: { path: 'instance_url', pattern: 'https://[a-z0-9.-]+\\.salesforce\\.com' } },
  },
  apiBaseUrl: '{instance_url}',
  parameters: {
    my_domain: {
      description:
        'Where you sign in: login for any organization, test for any sandbox, or your My Domain: acme.my of acme.my.salesforce.com',
      pattern: 'login|test|[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.(?:sandbox|develop|scratch|trailblaze))?\\.my',
      default: 'login',
    },
  },
  identity: {
    url: '{instance_url}/services/oauth2/userinfo',
    id: 'user_id',
    name: 'preferred_username',
  },
});
