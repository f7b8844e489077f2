import { PageHeader } from '../../ui/pages/page-header.js';
import { ChangePassword } from './change-password.js';
import { NameForm } from './name-form.js';
import { Part } from '../part.js';
import { PasskeyList } from './passkeys/passkey-list.js';
import { SessionList } from './session-list.js';
import { SignOutEverywhere } from './sign-out-everywhere.js';

/** `/settings/profile`: the signed-in person's name, password and sessions. */
export function ProfilePage() {
  return (
    <>
      <PageHeader title="Profile" lead="Your name, and how you sign in." />
      <Part title="You">
        <NameForm />
      </Part>
      <Part title="Password" lead="At least 10 characters. A few words in a row are easy to remember.">
        <ChangePassword />
      </Part>
      <Part
        title="Passkeys"
        lead="Sign in with your fingerprint, your face, or the PIN of a device. Unlike a password, a passkey works only on this site."
      >
        <PasskeyList />
      </Part>
      <Part
        title="Sessions"
        lead="You are signed in on each device until you sign out there, or for 14 days without use."
      >
        <SessionList />
        <SignOutEverywhere />
      </Part>
    </>
  );
}
