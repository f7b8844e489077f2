import { useParams } from 'react-router';
import { NewUserForm } from './new-user-form.js';
import { SessionFrame } from './session-frame.js';
import { useAuthCall } from './use-auth-call.js';

const VOID = 'This link does not work any more: it was used, or the service has printed a newer one since.';

/** `/set-up/:token`: the one-time link of the first start makes the first user and signs them in. */
export function SetUpPage() {
  const { token = '' } = useParams();
  const { call, running, fault } = useAuthCall();
  return (
    <SessionFrame title="Welcome" lead="Make the first user of this service. You can invite others afterwards.">
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
