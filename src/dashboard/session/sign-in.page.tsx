import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { Form } from '../ui/form.js';
import { PageLoader } from '../ui/page-loader.js';
import { useFields } from '../ui/use-fields.js';
import { callAuth } from './auth-api.js';
import { NoUserYet } from './no-user-yet.js';
import { OidcButtons } from './oidc-buttons.js';
import { OidcFailure } from './oidc-failure.js';
import { SessionFrame } from './session-frame.js';
import { useAuthCall } from './use-auth-call.js';
import { useAuthOptions } from './use-auth-options.js';
import { wayBack } from './where-to.js';

/** `/sign-in`: by e-mail and password, or at a provider that the operator has set up; then back to where one was (`?to=`). */
export function SignInPage() {
  const options = useAuthOptions();
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ email: '', password: '' }, fault);
  const to = wayBack(location.search);
  useGoOn(to);
  const signIn = async () => {
    const answer = await call('/sign-in/email', values);
    // A whole load, so that nothing of who was here before is left.
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
          label="E-mail"
          autoComplete="username"
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
      <Button component={Link} to="/forgot-password" state={{ email: values.email }} variant="subtle" fullWidth mt="xs">
        Forgot password?
      </Button>
    </SessionFrame>
  );
}

/** Goes on at once where one is signed in already: in another tab, or by a session that has taken the place of an ended one. */
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
