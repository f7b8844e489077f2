import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useAuthCall } from '../../session/use-auth-call.js';
import { useAuthOptions } from '../../session/use-auth-options.js';
import { useViewer } from '../../session/viewer.js';
import { Form } from '../../ui/form.js';
import { notifyDone } from '../../ui/notify.js';
import { useFields } from '../../ui/use-fields.js';

/** Asks for the present and the new password, and whether sessions elsewhere end with the old one. */
export function ChangePassword() {
  const [changes, setChanges] = useState(0);
  // Empty again after each change.
  return <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />;
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { call, running, fault } = useAuthCall();
  const { values, field } = useFields({ currentPassword: '', newPassword: '' }, fault);
  const [endOthers, setEndOthers] = useState(true);
  const change = async () => {
    if ((await call('/change-password', { ...values, revokeOtherSessions: endOthers })) === undefined) return;
    notifyDone(endOthers ? 'Your password is changed. All other sessions have ended.' : 'Your password is changed.');
    onDone();
  };
  return (
    <Form
      label="Change password"
      onSubmit={() => void change()}
      fault={fault}
      footer={
        <div>
          <Button type="submit" loading={running}>
            Change password
          </Button>
        </div>
      }
    >
      <WhoSignsIn />
      <PasswordInput
        {...field('currentPassword')}
        label="Current password"
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <PasswordInput
        {...field('newPassword')}
        label="New password"
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
      <Checkbox
        checked={endOthers}
        onChange={(event) => setEndOthers(event.currentTarget.checked)}
        label="Sign out everywhere else"
        description="Wherever else you are signed in, the new password is asked for. You stay signed in here."
      />
    </Form>
  );
}

/** So that keepers of passwords know whose it is; and a word for who may have none. */
function WhoSignsIn() {
  const { user } = useViewer();
  const [provider] = useAuthOptions()?.oidc ?? [];
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      {provider !== undefined && (
        <p>If you only ever signed in with {provider.name}, you have no password here, and need none.</p>
      )}
    </>
  );
}
