import { TextInput } from '@mantine/core';
import { Dialog } from '../../ui/dialogs/dialog.js';
import { useAuthOptions } from '../../session/use-auth-options.js';
import { FormButtons } from '../../ui/forms/form-buttons.js';
import { Form } from '../../ui/forms/form.js';
import { SecretOnce } from '../../ui/forms/secret-once.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { useSecretOnce } from '../../ui/forms/use-secret-once.js';
import { type InviteUserMutation, InviteUserDocument } from './users.generated.js';

type Invited = InviteUserMutation['inviteUser'];

/** Asks for an address, invites it, and shows the link, once; says whether it was mailed too. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const isMailed = useAuthOptions()?.mail;
  const { made: invited, show, stored, modal } = useSecretOnce<Invited>(opened, onClose);
  return (
    <Dialog {...modal} title={invited === undefined ? 'Invite user' : `${invited.email} is invited`}>
      {invited === undefined ? (
        <InviteForm isMailed={isMailed} onClose={onClose} onInvited={show} />
      ) : (
        <SecretOnce secret={invited.url ?? ''} what="invitation link" onDone={stored} doneLabel="Done">
          <div>
            {isMailed === false
              ? 'This service sends no emails: send the link yourself.'
              : 'An email with another link is on its way. You can also send this one yourself.'}{' '}
            Anyone with this link can choose a password and sign in, so it does not prove the address. An invitation
            works once, for 7 days.
          </div>
        </SecretOnce>
      )}
    </Dialog>
  );
}

function InviteForm({ isMailed, onClose, onInvited }: InviteFormProps) {
  const { run, running, fault } = useAction(InviteUserDocument, { inForm: true });
  const { values, field } = useFields({ email: '' }, fault);
  const invite = async () => {
    const made = await run({ email: values.email.trim() });
    if (made !== undefined) onInvited(made.inviteUser);
  };
  return (
    <Form
      label="Invite user"
      onSubmit={() => void invite()}
      fault={fault}
      footer={
        <FormButtons
          submitLabel={isMailed === false ? 'Make invitation' : 'Send invitation'}
          running={running}
          onCancel={onClose}
        />
      }
    >
      <TextInput
        {...field('email')}
        type="email"
        label="Email"
        description="They get a link to choose a name and a password. They can then do all that you can."
        placeholder="grace@example.com"
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
      />
    </Form>
  );
}

/** `isMailed` is undefined until that is known. */
interface InviteFormProps {
  isMailed: boolean | undefined;
  onClose: () => void;
  onInvited: (invited: Invited) => void;
}
