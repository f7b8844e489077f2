import { Button } from '@mantine/core';
import { SessionFrame } from '../session-frame.js';

/** The sign-in page of a service without users: where to find the set-up link. */
export function NoUserYet() {
  return (
    <SessionFrame
      title="This service has no users yet"
      lead={
        <>
          Create the first one with the set-up link that the service printed when it started: look in its terminal or
          its log for a URL with <code>/set-up/</code>.
        </>
      }
    >
      <Button variant="default" fullWidth onClick={() => location.reload()}>
        Check again
      </Button>
    </SessionFrame>
  );
}
