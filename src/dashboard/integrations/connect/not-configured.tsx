import { Stack } from '@mantine/core';
import { CodeBlock } from '../../ui/values/code-block.js';
import { Notice } from '../../ui/pages/notice.js';
import classes from './connect.module.css';
import { type ConnectableApp } from './use-connect-form.js';

/** The one-time set-up by the operator that an OAuth application needs. */
export function NotConfigured({ app: { type, name, documentationUrl } }: { app: ConnectableApp }) {
  const prefix = type.toUpperCase();
  return (
    <Stack gap="lg">
      <Notice tone="busy" title="Needs a client id">
        {name} accepts only registered services. The operator of this service registers it once; then everyone can
        connect.
      </Notice>
      <ol className={classes.steps}>
        <li>
          <p>
            Register an OAuth application at {name}
            {documentationUrl !== null && (
              <>
                {' '}
                (
                <a href={documentationUrl} target="_blank" rel="noopener noreferrer">
                  documentation
                </a>
                )
              </>
            )}
            , with this callback URL:
          </p>
          <CodeBlock code={`${location.origin}/oauth/callback/${type}`} label="Callback URL" wrap />
        </li>
        <li>
          <p>Set the values that {name} shows you as environment variables of this service:</p>
          <CodeBlock code={`${prefix}_CLIENT_ID=…\n${prefix}_CLIENT_SECRET=…`} label="Environment variables" />
        </li>
        <li>
          <p>Restart the service, and open this page again.</p>
        </li>
      </ol>
    </Stack>
  );
}
