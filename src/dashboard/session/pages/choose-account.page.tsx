import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { type RequestFault } from '../../graphql/request-fault.js';
import { FormFault } from '../../ui/forms/form.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { type AccountChoice, AccountChoices } from './account-choices.js';
import { RefusedLink } from './refused-link.js';
import { SessionFrame } from '../session-frame.js';
import { useAuthCall } from '../use-auth-call.js';
import { useLink } from '../use-link.js';

interface Offer {
  email: string;
  choices: AccountChoice[];
}

/**
 * `/choose-account`: after a sign-in at a provider, an invited person chooses the account to join. None is joined
 * unasked.
 */
export function ChooseAccountPage() {
  const answer = useLink<Offer>('/oidc/choice');
  const { call, running, fault } = useAuthCall();
  if (answer === undefined) return <PageLoader />;
  if (!answer.ok) return <Refused fault={answer.fault} />;
  const { email, choices } = answer.data;
  const choose = async (id: string) => {
    const chosen = await call<{ return_to: string }>('/oidc/choice', { id });
    // A whole load, so that nothing of another user stays in memory.
    if (chosen !== undefined) location.assign(chosen.return_to);
  };
  return (
    <SessionFrame
      title="Choose an account"
      focus
      lead={`The provider has verified your address ${email}. Join only an account that you know: its users can use the applications that you connect there.`}
    >
      <AccountChoices choices={choices} running={running} onChoose={(id) => void choose(id)} />
      {fault !== undefined && <FormFault fault={fault} />}
      <Button component={Link} to="/sign-in" variant="subtle" fullWidth mt="xs">
        Join none of them
      </Button>
    </SessionFrame>
  );
}

function Refused({ fault }: { fault: RequestFault }) {
  return (
    <RefusedLink
      fault={fault}
      title="No account to choose"
      lead="You have chosen already, or it took longer than 10 minutes. Sign in at the provider again."
    />
  );
}
