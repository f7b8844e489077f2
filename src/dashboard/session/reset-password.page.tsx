import { Button, Center, Loader, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { type RequestFault } from '../graphql/request-fault.js';
import { Form } from '../ui/form.js';
import { useFields } from '../ui/use-fields.js';
import { type AuthAnswer, callAuth } from './auth-api.js';
import { SessionFrame } from './session-frame.js';
import { useAuthCall } from './use-auth-call.js';

/** `/reset-password/:token`: sets a new password, which signs in here and out everywhere else. */
export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const path = `/reset-password/${encodeURIComponent(token)}`;
  const [answer, setAnswer] = useState<AuthAnswer<{ email: string }>>();
  useEffect(() => {
    void callAuth<{ email: string }>(path).then(setAnswer);
  }, [path]);
  if (answer === undefined) {
    return (
      <Center mih="100dvh">
        <Loader size="sm" aria-label="Loading" />
      </Center>
    );
  }
  return answer.ok ? <NewPassword path={path} email={answer.data.email} /> : <Refused fault={answer.fault} />;
}

function NewPassword({ path, email }: { path: string; email: string }) {
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ password: '' }, fault);
  const set = async () => {
    // A whole load, so that nothing of who was here before is left.
    if ((await call(path, values)) !== undefined) location.assign('/');
  };
  if (fault?.code === 'NOT_FOUND') return <Refused fault={fault} />;
  return (
    <SessionFrame title="Choose a new password" lead="It signs you in here, and out everywhere else.">
      <Form
        label="New password"
        onSubmit={() => void set()}
        fault={fault}
        footer={
          <Button type="submit" loading={running} fullWidth>
            Set password and sign in
          </Button>
        }
      >
        <TextInput label="E-mail" type="email" value={email} autoComplete="username" readOnly variant="filled" />
        <PasswordInput
          {...field('password')}
          label="New password"
          description="At least 10 characters. A few words in a row are easy to remember."
          autoComplete="new-password"
          autoFocus
          required
          withAsterisk={false}
        />
      </Form>
    </SessionFrame>
  );
}

const VOID = 'Such a link works once, for an hour, and only the newest one does.';

function Refused({ fault: { code, message } }: { fault: RequestFault }) {
  const isVoid = code === 'NOT_FOUND';
  return (
    <SessionFrame
      title={isVoid ? 'This link does not work any more' : 'That did not work'}
      focus
      lead={isVoid ? VOID : message}
    >
      <Stack gap="xs">
        {isVoid ? (
          <Button component={Link} to="/forgot-password" fullWidth>
            Get a new link
          </Button>
        ) : (
          <Button onClick={() => location.reload()} fullWidth>
            Try again
          </Button>
        )}
        <Button component={Link} to="/sign-in" variant="default" fullWidth>
          To the sign-in page
        </Button>
      </Stack>
    </SessionFrame>
  );
}
