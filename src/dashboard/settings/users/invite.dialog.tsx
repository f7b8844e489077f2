import { Button, Group, Modal, TextInput } from '@mantine/core';
import { Form } from '../../ui/form.js';
import { SecretOnce } from '../../ui/secret-once.js';
import { useAction } from '../../ui/use-action.js';
import { useFields } from '../../ui/use-fields.js';
import { useSecretOnce } from '../../ui/use-secret-once.js';
import { type InviteUserMutation, InviteUserDocument } from './users.generated.js';

type Invited = InviteUserMutation['inviteUser'];

/** Asks for an address, invites it, and shows the link that was mailed, once. */
export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { made: invited, show, stored, modal } = useSecretOnce<Invited>(opened, onClose);
  return (
    <Modal {...modal} title={invited === undefined ? 'Invite user' : `${invited.email} is invited`}>
      {invited === undefined ? (
        <InviteForm onClose={onClose} onInvited={show} />
      ) : (
        <SecretOnce secret={invited.url ?? ''} what="invitation link" onDone={stored} doneLabel="Done">
          <div>
            A mail with this link is on its way. You can also hand it over yourself: whoever opens it first chooses a
            password and can sign in. It works once, for 7 days.
          </div>
        </SecretOnce>
      )}
    </Modal>
  );
}

function InviteForm({ onClose, onInvited }: { onClose: () => void; onInvited: (invited: Invited) => void }) {
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
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={running}>
            Send invitation
          </Button>
        </Group>
      }
    >
      <TextInput
        {...field('email')}
        type="email"
        label="E-mail"
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
