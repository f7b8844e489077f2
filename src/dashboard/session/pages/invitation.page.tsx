import { useParams } from 'react-router';
import { type RequestFault } from '../../graphql/request-fault.js';
import { Notice } from '../../ui/pages/notice.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { NewUserForm } from './new-user-form.js';
import { RefusedLink } from './refused-link.js';
import { ReplacedUser } from '../replaced-user.js';
import { SessionFrame } from '../session-frame.js';
import { useAuthCall } from '../use-auth-call.js';
import { useLink } from '../use-link.js';

interface Invitation {
  email: string;
  account: string;
  /** The account whose user with the same address is removed on joining. */
  replaces?: string;
}

/** `/invitations/:token`: an invited person chooses name and password, and is signed in. */
export function InvitationPage() {
  const { token = '' } = useParams();
  const path = `/invitations/${encodeURIComponent(token)}`;
  const answer = useLink<Invitation>(path);
  if (answer === undefined) return <PageLoader />;
  return answer.ok ? <Accept path={path} invitation={answer.data} /> : <Refused fault={answer.fault} />;
}

function Accept({ path, invitation: { email, account, replaces } }: { path: string; invitation: Invitation }) {
  const { call, running, fault } = useAuthCall();
  if (fault?.code === 'NOT_FOUND') return <Refused fault={fault} />;
  return (
    <SessionFrame
      title={`Join ${account}`}
      lead="You were invited to work on its workflows. Choose a name and a password. Join only an account that you know: its users can use the applications that you connect there."
    >
      {replaces !== undefined && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="warn">
            <ReplacedUser account={replaces} />
          </Notice>
        </div>
      )}
      <NewUserForm
        email={email}
        submitLabel="Join and sign in"
        running={running}
        fault={fault}
        onSubmit={async ({ name, password }) => {
          if ((await call(path, { name, password })) !== undefined) location.assign('/');
        }}
      />
    </SessionFrame>
  );
}

function Refused({ fault }: { fault: RequestFault }) {
  return (
    <RefusedLink
      fault={fault}
      title="This invitation does not work"
      lead="It was used or revoked, or is older than 7 days. Ask for a new one."
    />
  );
}
