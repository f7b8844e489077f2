import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, type Location, useLocation } from 'react-router';
import { CodeBlock } from '../../ui/values/code-block.js';
import { Form } from '../../ui/forms/form.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { SessionFrame } from '../session-frame.js';
import { useAuthCall } from '../use-auth-call.js';
import { useAuthOptions } from '../use-auth-options.js';

/**
 * `/forgot-password`: mails a link that sets a new password, and says the same whether or not the address is a user's.
 */
export function ForgotPasswordPage() {
  const { state } = useLocation() as Location<{ email?: string } | null>;
  const options = useAuthOptions();
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ email: state?.email ?? '' }, fault);
  const [asked, setAsked] = useState<string>();
  const ask = async () => {
    const email = values.email.trim();
    if ((await call('/request-password-reset', { email })) !== undefined) setAsked(email);
  };
  if (options === undefined) return <PageLoader />;
  if (asked !== undefined) {
    const back = { onAgain: () => setAsked(undefined), email: asked };
    return options.mail ? <OnItsWay {...back} /> : <InTheLog {...back} />;
  }
  const [provider] = options.oidc;
  return (
    <SessionFrame
      title="Forgot your password?"
      lead={`We email you a link to set a new one.${provider === undefined ? '' : ` If you sign in with ${provider.name}, reset your password there.`}`}
    >
      <Form
        label="Forgot password"
        onSubmit={() => void ask()}
        fault={fault}
        footer={
          <Stack gap="xs">
            <Button type="submit" loading={running} fullWidth>
              Send the link
            </Button>
            <Button component={Link} to="/sign-in" variant="subtle" fullWidth>
              Back to sign-in
            </Button>
          </Stack>
        }
      >
        <TextInput
          {...field('email')}
          type="email"
          label="Email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
        />
      </Form>
    </SessionFrame>
  );
}

function OnItsWay({ email, onAgain }: AskedProps) {
  return (
    <SessionFrame
      title="Check your email"
      focus
      lead={
        <>
          If <strong>{email}</strong> belongs to a user here, an email is on its way. Its link works once, for an hour.
          No email after a few minutes? Check your spam folder.
        </>
      }
    >
      <Ways onAgain={onAgain} />
    </SessionFrame>
  );
}

function InTheLog({ email, onAgain }: AskedProps) {
  return (
    <SessionFrame
      title="The link is in the log"
      focus
      lead={
        <>
          This service sends no emails. If <strong>{email}</strong> belongs to a user here, the operator of the service
          finds the link in its log, or gets a link from this command:
        </>
      }
    >
      <Stack>
        <CodeBlock label="Command" wrap code={`npm run --silent users -- reset ${quoted(email)}`} />
        <Ways onAgain={onAgain} />
      </Stack>
    </SessionFrame>
  );
}

function Ways({ onAgain }: { onAgain: () => void }) {
  return (
    <Stack gap="xs">
      <Button component={Link} to="/sign-in" variant="default" fullWidth>
        Back to sign-in
      </Button>
      <Button variant="subtle" fullWidth onClick={onAgain}>
        Use another address
      </Button>
    </Stack>
  );
}

interface AskedProps {
  email: string;
  onAgain: () => void;
}

/** An address may contain shell syntax, e.g. `$(…)` and backticks. */
function quoted(email: string): string {
  return /^[\w.+@-]+$/.test(email) ? email : `'${email.replaceAll("'", `'\\''`)}'`;
}
