import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { Form } from '../../ui/forms/form.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { callAuth } from '../auth-api.js';
import { NoUserYet } from './no-user-yet.js';
import { OidcButtons } from './oidc-buttons.js';
import { OidcFailure } from './oidc-failure.js';
import { PasskeyButton } from './passkey-button.js';
import { SessionFrame } from '../session-frame.js';
import { knowsPasskeys } from '../passkey-browser.js';
import { useAuthCall } from '../use-auth-call.js';
import { useAuthOptions } from '../use-auth-options.js';
import { wayBack } from '../where-to.js';

/** `/sign-in`: by email and password, or at a configured provider; then back to the previous page (`?to=`). */
export function SignInPage() {
  const options = useAuthOptions();
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ email: '', password: '' }, fault);
  const to = wayBack(location.search);
  useGoOn(to);
  const signIn = async () => {
    const answer = await call('/sign-in/email', values);
    // A full page load, so that no data of the previous user remains.
    if (answer !== undefined) location.assign(to);
  };
  if (options === undefined) return <PageLoader />;
  if (options.set_up === true) return <NoUserYet />;
  return (
    <SessionFrame title="Sign in" lead={to === '/' ? undefined : 'You come back to where you were.'}>
      <OidcFailure word={new URLSearchParams(location.search).get('error')} />
      <OidcButtons providers={options.oidc} to={to} />
      <Form
        label="Sign in"
        onSubmit={() => void signIn()}
        fault={fault}
        footer={
          <Button type="submit" loading={running} fullWidth>
            Sign in
          </Button>
        }
      >
        <TextInput
          {...field('email')}
          type="email"
          label="Email"
          autoComplete="username webauthn"
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          {...field('password')}
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
      </Form>
      {options.passkeys && knowsPasskeys() && <PasskeyButton to={to} />}
      <Button component={Link} to="/forgot-password" state={{ email: values.email }} variant="subtle" fullWidth mt="xs">
        Forgot password?
      </Button>
    </SessionFrame>
  );
}

/** Continues at once when there is a session: from another tab, or a new one after the old one has ended. */
function useGoOn(to: string): void {
  useEffect(() => {
    let gone = false;
    void callAuth<object | null>('/get-session').then((session) => {
      if (!gone && session.ok && session.data !== null) location.replace(to);
    });
    return () => {
      gone = true;
    };
  }, [to]);
}
