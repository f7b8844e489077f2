import { Button, Stack } from '@mantine/core';
import { type AuthOptions } from '../auth-api.js';
import { IconLogin2 } from '../../ui/icons/icons.js';
import classes from '../session-frame.module.css';

/** A button for each configured provider: it leads to the provider, and from there back to `to`. */
export function OidcButtons({ providers, to }: { providers: AuthOptions['oidc']; to: string }) {
  if (providers.length === 0) return null;
  return (
    <>
      <Stack gap="xs">
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            component="a"
            href={`/auth/${encodeURIComponent(id)}/start?return_to=${encodeURIComponent(to)}`}
            variant="default"
            fullWidth
            leftSection={<IconLogin2 size={16} aria-hidden />}
          >
            Continue with {name}
          </Button>
        ))}
      </Stack>
      <div className={classes.or}>or</div>
    </>
  );
}
