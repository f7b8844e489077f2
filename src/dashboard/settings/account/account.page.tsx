import { PageHeader } from '../../ui/pages/page-header.js';
import { Part } from '../part.js';
import { EventLogSwitch } from './event-log-switch.js';
import { AccountNameForm } from './account-name-form.js';

/** `/settings/account`: what belongs to the account as a whole. */
export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" lead="Everything here belongs to it: workflows, connections, keys and users." />
      <Part title="Name" lead="Shown in the sidebar and in invitations.">
        <AccountNameForm />
      </Part>
      <Part
        title="Event log"
        lead="Keeps everything that happens for 30 days: on the page “Events”, and for programs that read it."
      >
        <EventLogSwitch />
      </Part>
    </>
  );
}
