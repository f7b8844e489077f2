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
        {name} lets only services in that are registered there. The operator of this service does that once; then
        everybody can connect.
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
            , with this as its callback address:
          </p>
          <CodeBlock code={`${location.origin}/oauth/callback/${type}`} label="Callback address" wrap />
        </li>
        <li>
          <p>Give what {name} shows you to this service, as environment variables:</p>
          <CodeBlock code={`${prefix}_CLIENT_ID=…\n${prefix}_CLIENT_SECRET=…`} label="Environment variables" />
        </li>
        <li>
          <p>Restart the service, and open this page again.</p>
        </li>
      </ol>
    </Stack>
  );
}
