/** What each key of an app in `APPS_FILE` means, in the order of the reference. */
export const ABOUT: Readonly<Record<string, string>> = {
  type: 'The identifier that clients send to connect it: `a-z`, `0-9` and `_`, different from every built-in type.',
  name: 'The name that people see.',
  documentation_url: 'The URL of a page about the API of the application.',
  'auth.kind': 'The kind of credentials.',
  'auth.authorization_url':
    'The URL where the user grants access. For `oauth2`, like all keys down to `auth.captures.<name>.pattern`.',
  'auth.token_url': 'The URL that exchanges codes and refresh tokens.',
  'auth.client_id': 'The id of the client that is registered for this service.',
  'auth.client_secret': 'The secret of that client; not with the method `none`.',
  'auth.scopes': 'The list of requested scopes.',
  'auth.scope_separator': 'The separator between scopes.',
  'auth.pkce': 'Whether the flow is protected by PKCE (S256).',
  'auth.token_endpoint_auth_method': 'How the client authenticates at the token URL.',
  'auth.authorization_params': 'Further parameters of the authorization URL.',
  'auth.issuer': 'The required value of `iss` in a callback that has one (RFC 9207).',
  'auth.revocation_url': 'The URL that revokes tokens (RFC 7009).',
  'auth.revocation_auth_method': 'How the client authenticates at the revocation URL. Default: as at the token URL.',
  'auth.revocation_ends_grant': 'Whether the revocation of one token ends the whole grant of the user.',
  'auth.captures':
    'Values that each token response contains, by name, e.g. the host of the user’s company. `{name}` in `api_base_url` and `identity.url` is replaced by the value; at the beginning it stands for a whole origin. A flow without such a value fails. A renewal without it keeps the last one.',
  'auth.captures.<name>.path': 'The dotted path of the value in the response.',
  'auth.captures.<name>.pattern':
    'A regular expression (ECMAScript, flag `u`) that the whole value must match. The value of an origin is `https://` and the host. Use the provider’s own domain, because the tokens are sent there. Without a pattern, the value is one label of a host or one segment of a path.',
  'auth.placement.in': 'The place of the key in a request. For `api_key`, like all keys down to `auth.verify.ok`.',
  'auth.placement.name': 'The name of the header or of the query parameter.',
  'auth.placement.prefix': 'The text before the key, e.g. `Bearer ` with its space.',
  'auth.verify.method': 'The method of the request that checks a key before it is stored.',
  'auth.verify.url': 'The URL of that request.',
  'auth.verify.ok':
    'The statuses that mean that the key is valid. 400, 401 and 403 mean that it is refused; any other status, or no response within 5 s, means that it could not be checked.',
  api_base_url: 'The URL of the API, without a query. The `path` of an `app_request` is appended to it.',
  parameters:
    'Values that a client must send to connect, by name. `{name}` in any URL of the application is replaced by the value.',
  'parameters.<name>.description': 'A sentence for people.',
  'parameters.<name>.pattern':
    'A regular expression (ECMAScript, flag `u`) that the whole value must match. Either this or `choices`.',
  'parameters.<name>.choices':
    'The only possible values, each with the text that it stands for in URLs, e.g. `{ "us": "api", "eu": "api.eu" }`. The text may be any part of a host, or empty.',
  'parameters.<name>.default': 'The value if the client sends none. Without it, the client must send one.',
  'identity.url':
    'The URL of a GET with the credentials whose response names the account. Without `identity` the account is unknown.',
  'identity.id': 'The dotted path of the account’s id in the response.',
  'identity.name': 'The dotted path of the account’s name.',
  events: 'The events that the application posts, each with the value `{}`. An `app_event` trigger names one of them.',
  'event_source.header': 'The header with the name of the event. Either this or `json_path`.',
  'event_source.json_path': 'The dotted path of that name in the body.',
  'event_source.signature':
    'How posts are signed: a `scheme`, or the four keys of an HMAC of the raw body. `null`: posts are not signed, and the token in the URL is the only secret.',
  'event_source.signature.scheme':
    'A scheme that fixes header, algorithm and encoding. `slack` and `stripe` refuse posts that are older than 5 minutes.',
  'event_source.signature.header': 'The header with the signature.',
  'event_source.signature.algorithm': 'The hash of the HMAC.',
  'event_source.signature.encoding': 'The encoding of the signature.',
  'event_source.signature.prefix': 'The text before the signature, e.g. `sha256=`.',
  'event_source.signature.secret':
    'One secret for the whole application. Without it each integration has its own secret, `eventsSecret`.',
  'event_source.handshake':
    'How the service confirms its URL to the application: `slack` returns `challenge`, `meta` returns `hub.challenge`, `microsoft_graph` returns `validationToken`. A handshake fires nothing.',
};
