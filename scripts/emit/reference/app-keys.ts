/** What each key of an app in `APPS_FILE` means, in the order of the reference. */
export const ABOUT: Readonly<Record<string, string>> = {
  type: 'The word that clients connect it by: `a-z`, `0-9` and `_`, unlike every built-in type.',
  name: 'The name for people.',
  documentation_url: 'A page about the API of the application.',
  'auth.kind': 'How it is connected.',
  'auth.authorization_url':
    'Where the user grants access (`oauth2`, as all keys down to `auth.revocation_ends_grant`).',
  'auth.token_url': 'Where codes and refresh tokens are exchanged.',
  'auth.client_id': 'The client of this service there. For `oauth2`.',
  'auth.client_secret': 'Its secret; not with the method `none`. For `oauth2`.',
  'auth.scopes': 'A list of the scopes that are asked for.',
  'auth.scope_separator': 'What stands between them.',
  'auth.pkce': 'Whether the flow is protected by PKCE (S256).',
  'auth.token_endpoint_auth_method': 'How the client proves itself at the token address.',
  'auth.authorization_params': 'Further parameters of the authorization address.',
  'auth.issuer': 'The `iss` that a callback must carry when it carries one (RFC 9207).',
  'auth.revocation_url': 'Where tokens are given back (RFC 7009).',
  'auth.revocation_auth_method': 'How the client proves itself there; as at the token address unless told.',
  'auth.revocation_ends_grant': 'Whether giving back one token ends the whole grant of the user.',
  'auth.placement.in': 'Where the key goes in a request (`api_key`, as all keys down to `auth.verify.ok`).',
  'auth.placement.name': 'The name of the header or of the query parameter.',
  'auth.placement.prefix': 'What stands before the key, e.g. `Bearer ` with its space.',
  'auth.verify.method': 'How a key is checked before it is stored.',
  'auth.verify.url': 'Where it is checked.',
  'auth.verify.ok':
    'The statuses that mean that the key is valid. 400, 401 and 403 refuse it; anything else, or no answer within 5 s, says nothing.',
  api_base_url: 'Where the API is: `path` of an `app_request` is below it. No query.',
  parameters:
    'What a client must give when it connects, by name: `{name}` in any address of the app stands for the value.',
  'parameters.<name>.description': 'A sentence for people.',
  'parameters.<name>.pattern': 'A regular expression (ECMAScript, flag `u`) that the whole value must match.',
  'identity.url': 'A GET with the credentials that says whose account it is. Without `identity` that is not known.',
  'identity.id': 'The dotted path of the account’s id in the answer.',
  'identity.name': 'The dotted path of the account’s name.',
  events: 'The events that the application posts, each with `{}`: what an `app_event` trigger may name.',
  'event_source.header': 'The header with the name of the event; this or `json_path`.',
  'event_source.json_path': 'The dotted path of that name in the body.',
  'event_source.signature':
    'What proves a post. `null`: the token in the address is the only proof. Else a `scheme`, or the four keys of a plain HMAC of the raw body.',
  'event_source.signature.scheme':
    'A scheme that fixes header, algorithm and encoding. `slack` and `stripe` refuse posts that are older than 5 minutes.',
  'event_source.signature.header': 'The header with the signature.',
  'event_source.signature.algorithm': 'The hash of the HMAC.',
  'event_source.signature.encoding': 'How the signature is written.',
  'event_source.signature.prefix': 'What stands before it, e.g. `sha256=`.',
  'event_source.signature.secret':
    'One secret for the whole application. Without it each integration has its own, `eventsSecret`.',
  'event_source.handshake':
    'How the address proves itself to the application: `slack` echoes `challenge`, `meta` answers `hub.challenge`, `microsoft_graph` answers `validationToken`. A handshake fires nothing.',
};
