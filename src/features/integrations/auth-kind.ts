import { registerEnumType } from 'type-graphql';

/** The kinds of ways to connect, as the API names them. */
export const AuthKind = { OAUTH2: 'oauth2', API_KEY: 'api_key' } as const;
export type AuthKind = (typeof AuthKind)[keyof typeof AuthKind];

registerEnumType(AuthKind, {
  name: 'AuthKind',
  description: 'A way to connect an integration type.',
  valuesConfig: {
    OAUTH2: { description: 'The user grants access in the browser (OAuth 2.0).' },
    API_KEY: { description: 'With a key that the application issued.' },
  },
});
