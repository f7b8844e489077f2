import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../ui/values/code-block.js';
import { sampleInputOf } from '../../runs/source/sample-input.js';
import { hookCurl } from './hook-curl.js';
import classes from '../trigger-form.module.css';
import { type TriggerConfig } from '../trigger-config.js';

/** As long for each secret: its length is not shown either. */
const MASK = '••••••••';

/** The URL of a webhook trigger, and a shell command that posts the workflow's sample input to it. */
export function HookAddress({ url, config, workflowId }: HookAddressProps) {
  const sample = sampleInputOf(workflowId) ?? { hello: 'world' };
  return (
    <Stack gap="md">
      <div>
        <p className={classes.groupLabel}>URL</p>
        <p className={classes.groupText}>
          {config.secret === undefined
            ? 'Anyone who knows it can fire the trigger: treat it like a password.'
            : 'Accepts only posts signed with the secret.'}
        </p>
        <CodeBlock code={url} label="Webhook URL" wrap />
      </div>
      <div>
        <p className={classes.groupLabel}>Try it in a shell</p>
        <p className={classes.groupText}>The body is any JSON; actions read it as {'{{\u00a0trigger.body\u00a0}}'}.</p>
        <HookLine url={url} config={config} sample={sample} />
      </div>
    </Stack>
  );
}

/** The secret is masked until the user asks for it, as in the settings; the copied line always contains it. */
function HookLine({ url, config, sample }: { url: string; config: TriggerConfig; sample: unknown }) {
  const [isShown, setShown] = useState(false);
  const line = hookCurl(url, config, sample);
  if (typeof config.secret !== 'string') return <CodeBlock code={line} label="curl line" wrap />;
  const masked = hookCurl(url, { ...config, secret: MASK }, sample);
  return (
    <>
      <CodeBlock code={isShown ? line : masked} copied={line} label="curl line" wrap />
      <Button variant="subtle" size="compact-xs" mt={6} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide the secret' : 'Show the secret'}
      </Button>
    </>
  );
}

interface HookAddressProps {
  url: string;
  config: TriggerConfig;
  workflowId: string;
}
