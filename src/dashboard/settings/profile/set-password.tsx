import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAuthCall } from '../../session/use-auth-call.js';
import { useAuthOptions } from '../../session/use-auth-options.js';
import { useViewer } from '../../session/viewer.js';
import { Form } from '../../ui/forms/form.js';
import { Notice } from '../../ui/pages/notice.js';

/** For users who sign in at a provider only: mails a link that sets a first password. */
export function SetPassword() {
  const { user } = useViewer();
  const options = useAuthOptions();
  const { call, running, fault } = useAuthCall();
  const [asked, setAsked] = useState(false);
  const ask = async () => {
    if ((await call('/request-password-reset', { email: user?.email })) !== undefined) setAsked(true);
  };
  const provider = options?.oidc[0]?.name ?? 'a provider';
  return (
    <Form
      label="Set a password"
      onSubmit={() => void ask()}
      fault={fault}
      footer={
        <div>
          <Button type="submit" variant="default" loading={running}>
            {asked ? 'Email another link' : 'Email me a link'}
          </Button>
        </div>
      }
    >
      <p>
        You sign in with {provider}, and have no password here. You need none; if you want one too, we email you a link
        to set it.
      </p>
      <div role="status">{asked && <Sent email={user?.email ?? ''} isMailed={options?.mail !== false} />}</div>
    </Form>
  );
}

function Sent({ email, isMailed }: { email: string; isMailed: boolean }) {
  return (
    <Notice tone="good" title={isMailed ? 'Check your email' : 'The link is in the log'}>
      {isMailed
        ? `A link is on its way to ${email}. It works once, for an hour, and signs you out everywhere else.`
        : 'This service sends no emails. Its operator can find the link in the log.'}
    </Notice>
  );
}
