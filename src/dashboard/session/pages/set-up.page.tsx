import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { NewUserForm } from './new-user-form.js';
import { SessionFrame } from '../session-frame.js';
import { useAuthCall } from '../use-auth-call.js';
import { useAuthOptions } from '../use-auth-options.js';

const VOID = 'This link no longer works: it was used, or the service has printed a newer one since.';

/** `/set-up/:token`: the one-time link of the first start creates the first user and signs them in. */
export function SetUpPage() {
  const { token = '' } = useParams();
  const options = useAuthOptions();
  const { call, running, fault } = useAuthCall();
  if (options === undefined) return <PageLoader />;
  if (options.set_up === false) return <SetUpAlready />;
  return (
    <SessionFrame title="Welcome" lead="Create the first user of this service. You can invite others afterwards.">
      <NewUserForm
        submitLabel="Create user and sign in"
        running={running}
        fault={fault?.code === 'NOT_FOUND' ? { ...fault, message: VOID } : fault}
        onSubmit={async (user) => {
          const made = await call('/set-up', { token, ...user });
          if (made !== undefined) location.assign('/');
        }}
      />
    </SessionFrame>
  );
}

function SetUpAlready() {
  return (
    <SessionFrame
      title="This service is set up already"
      focus
      lead="Its first user exists, so this link is used up. Sign in, or ask a user of the service to invite you."
    >
      <Button component={Link} to="/sign-in" fullWidth>
        To the sign-in page
      </Button>
    </SessionFrame>
  );
}
