import { Button, Center, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { type RequestFault } from '../graphql/request-fault.js';
import { type AuthAnswer, callAuth } from './auth-api.js';
import { NewUserForm } from './new-user-form.js';
import { SessionFrame } from './session-frame.js';
import { useAuthCall } from './use-auth-call.js';

interface Invitation {
  email: string;
  account: string;
}

/** `/invitations/:token`: who was invited chooses name and password, and is signed in. */
export function InvitationPage() {
  const { token = '' } = useParams();
  const [answer, setAnswer] = useState<AuthAnswer<Invitation>>();
  useEffect(() => {
    void callAuth<Invitation>(`/invitations/${encodeURIComponent(token)}`).then(setAnswer);
  }, [token]);
  if (answer === undefined) {
    return (
      <Center mih="100dvh">
        <Loader size="sm" aria-label="Loading" />
      </Center>
    );
  }
  return answer.ok ? <Accept token={token} invitation={answer.data} /> : <Refused fault={answer.fault} />;
}

function Accept({ token, invitation: { email, account } }: { token: string; invitation: Invitation }) {
  const { call, running, fault } = useAuthCall();
  return (
    <SessionFrame
      title={`Join ${account}`}
      lead="You were invited to work on its workflows. Choose a name and a password."
    >
      <NewUserForm
        email={email}
        submitLabel="Join and sign in"
        running={running}
        fault={fault}
        onSubmit={async ({ name, password }) => {
          const joined = await call(`/invitations/${encodeURIComponent(token)}`, { name, password });
          if (joined !== undefined) location.assign('/');
        }}
      />
    </SessionFrame>
  );
}

const VOID = 'It was used or revoked, or is older than 7 days. Ask for a new one.';

function Refused({ fault: { code, message } }: { fault: RequestFault }) {
  return (
    <SessionFrame title="This invitation does not work" lead={code === 'NOT_FOUND' ? VOID : message}>
      <Button component={Link} to="/sign-in" variant="default" fullWidth>
        To the sign-in page
      </Button>
    </SessionFrame>
  );
}
