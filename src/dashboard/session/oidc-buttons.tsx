import { Button, Stack } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { notifyFault } from '../ui/notify.js';
import { type AuthOptions } from './auth-api.js';
import classes from './session-frame.module.css';
import { useAuthCall } from './use-auth-call.js';
import { useEffect } from 'react';

/** A button for each provider that the operator has set up; it leaves for the provider, which comes back to `to`. */
export function OidcButtons({ providers, to }: { providers: AuthOptions['oidc']; to: string }) {
  const { call, running, fault } = useAuthCall();
  useEffect(() => {
    if (fault !== undefined) notifyFault(fault);
  }, [fault]);
  const leave = async (providerId: string) => {
    const answer = await call<{ url: string }>('/sign-in/oauth2', {
      providerId,
      callbackURL: to,
      errorCallbackURL: '/sign-in',
    });
    if (answer !== undefined) location.assign(answer.url);
  };
  if (providers.length === 0) return null;
  return (
    <>
      <Stack gap="xs">
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            fullWidth
            disabled={running}
            leftSection={<IconLogin2 size={16} aria-hidden />}
            onClick={() => void leave(id)}
          >
            Continue with {name}
          </Button>
        ))}
      </Stack>
      <div className={classes.or}>or</div>
    </>
  );
}
