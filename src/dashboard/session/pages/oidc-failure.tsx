import { Notice } from '../../ui/pages/notice.js';

const SENTENCES: Readonly<Record<string, string>> = {
  access_denied: 'You denied access at the provider. Try again, or sign in with a password.',
  expired: 'That took too long. Try again.',
  rate_limited: 'Too many attempts. Wait a moment, then try again.',
  provider_unavailable: 'The provider does not answer. Try again in a moment, or sign in with a password.',
  email_not_verified: 'The provider has not verified your email address, so it cannot be used here.',
  not_invited: 'You have no invitation yet. Ask a user of this service for one.',
};

/** Explains why a sign-in at a provider failed, by the code in the URL of the sign-in page (`?error=`). */
export function OidcFailure({ word }: { word: string | null }) {
  if (word === null) return null;
  return (
    <div style={{ marginBottom: 16 }}>
      <Notice tone="bad">
        {Object.hasOwn(SENTENCES, word) ? SENTENCES[word] : 'The sign-in at the provider did not work. Try again.'}
      </Notice>
    </div>
  );
}
