import { Button, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CodeBlock } from '../../ui/values/code-block.js';
import { PageLoader } from '../../ui/pages/page-loader.js';
import { goHome, type WayHome } from '../other-origin.js';
import { SessionFrame } from '../session-frame.js';

/** Every page under an origin other than the service's, `home`: redirects there, or explains what to do. */
export function OtherOriginPage({ home }: { home: string }) {
  const [way, setWay] = useState<WayHome>();
  useEffect(() => {
    void goHome(home).then(setWay);
  }, [home]);
  if (way === undefined || way === 'gone') return <PageLoader label={`Going to ${home}`} />;
  const outcome = way === 'unreachable' ? 'does not answer from here' : 'leads back to here';
  return (
    <SessionFrame
      title="This is not the service’s own URL"
      focus
      lead={
        <>
          You opened <strong>{location.origin}</strong>. The service is set up for <strong>{home}</strong>, the only URL
          where users can sign in, and that one {outcome}.
        </>
      }
    >
      <Stack>
        <div>If you run the service, start it with the URL that people use:</div>
        <CodeBlock label="Command" wrap code={`BASE_URL=${addressToCopy()} npm start`} />
        <Button component="a" href={home} variant="default" fullWidth>
          Open {home}
        </Button>
        <Button variant="subtle" fullWidth onClick={() => location.reload()}>
          Try again
        </Button>
      </Stack>
    </SessionFrame>
  );
}

/** A host can contain shell syntax; the command for such a host has no copy button. */
function addressToCopy(): string {
  return /^https?:\/\/[\w.:[\]-]+$/.test(location.origin) ? location.origin : 'https://…';
}
