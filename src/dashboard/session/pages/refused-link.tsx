import { Button, Stack } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { type RequestFault } from '../../graphql/request-fault.js';
import { SessionFrame } from '../session-frame.js';

/** Replaces the page of a mailed link: the link is void and what to do then, or a button to try again. */
export function RefusedLink({ fault: { code, message }, title, lead, wayOn }: RefusedLinkProps) {
  const isVoid = code === 'NOT_FOUND';
  return (
    <SessionFrame title={isVoid ? title : 'That did not work'} focus lead={isVoid ? lead : message}>
      <Stack gap="xs">
        {isVoid ? (
          wayOn
        ) : (
          <Button onClick={() => location.reload()} fullWidth>
            Try again
          </Button>
        )}
        <Button component={Link} to="/sign-in" variant="default" fullWidth>
          To the sign-in page
        </Button>
      </Stack>
    </SessionFrame>
  );
}

/** `title`, `lead` and `wayOn` describe a void link. */
export interface RefusedLinkProps {
  fault: RequestFault;
  title: string;
  lead: string;
  wayOn?: ReactNode;
}
