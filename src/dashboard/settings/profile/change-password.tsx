import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useAuthCall } from '../../session/use-auth-call.js';
import { useViewer } from '../../session/viewer.js';
import { Form } from '../../ui/forms/form.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { SetPassword } from './set-password.js';

/**
 * Asks for the current and the new password, and whether other sessions end. Users without a password get a link by
 * mail instead.
 */
export function ChangePassword() {
  const { hasPassword } = useViewer();
  const [changes, setChanges] = useState(0);
  if (!hasPassword) return <SetPassword />;
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
        description="All other devices must sign in again. You stay signed in here, and your passkeys still work."
      />
    </Form>
  );
}

/** Tells password managers which user the password belongs to. */
function WhoSignsIn() {
  const { user } = useViewer();
  return <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />;
}
