/** OAuth of Google's applications with one scope of their API. The account is the Google account (`sub`). */
export function googleSignIn(scope: string) {
  return {
    kind: 'oauth2' as const,
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    revocationUrl: 'https://oauth2.googleapis.com/revoke',
    // One grant per user and client: revoking an old token would end the new tokens, too.
    revocationEndsGrant: true,
    issuer: 'https://accounts.google.com',
    scopes: ['openid', 'email', `https://www.googleapis.com/auth/${scope}`],
    tokenEndpointAuthMethod: 'client_secret_post' as const,
    // Google issues a refresh token only for offline access, and another one only after another consent.
    authorizationParams: { access_type: 'offline', prompt: 'consent' },
  };
}

/** The account that `googleSignIn` connects, shown by its e-mail address. */
export const GOOGLE_ACCOUNT = {
  url: 'https://openidconnect.googleapis.com/v1/userinfo',
  id: 'sub',
  name: 'email',
};
