import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { type RequestFault } from '../../graphql/request-fault.js';
import { Form } from '../../ui/forms/form.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { RefusedLink } from './refused-link.js';
import { SessionFrame } from '../session-frame.js';
import { useAuthCall } from '../use-auth-call.js';
import { useLink } from '../use-link.js';

interface ResetLink {
  email: string;
  /** The account's name. */
  account: string;
}

/** `/reset-password/:token`: sets a new password, which signs in here and out everywhere else. */
export function ResetPasswordPage() {
  const { token = '' } = useParams();
  const path = `/reset-password/${encodeURIComponent(token)}`;
  const answer = useLink<ResetLink>(path);
  if (answer === undefined) return <PageLoader />;
  return answer.ok ? <NewPassword path={path} {...answer.data} /> : <Refused fault={answer.fault} />;
}

function NewPassword({ path, email, account }: { path: string } & ResetLink) {
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ password: '' }, fault);
  const set = async () => {
    // A full page load, so that no data of the previous user remains.
    if ((await call(path, values)) !== undefined) location.assign('/');
  };
  if (fault?.code === 'NOT_FOUND') return <Refused fault={fault} />;
  return (
    <SessionFrame title="Choose a new password" lead={`It signs you in to ${account} here, and out everywhere else.`}>
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
        <TextInput label="Email" type="email" value={email} autoComplete="username" readOnly variant="filled" />
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

function Refused({ fault }: { fault: RequestFault }) {
  return (
    <RefusedLink
      fault={fault}
      title="This link no longer works"
      lead="Such a link works once, for an hour, and only the newest one does."
      wayOn={
        <Button component={Link} to="/forgot-password" fullWidth>
          Get a new link
        </Button>
      }
    />
  );
}
