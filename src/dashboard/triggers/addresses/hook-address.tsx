import { Stack } from '@mantine/core';
import { CodeBlock } from '../../ui/values/code-block.js';
import { begunOf } from '../../workflows/editor/begun.js';
import { hookCurl } from './hook-curl.js';
import classes from '../trigger-form.module.css';
import { type TriggerConfig } from '../trigger-config.js';

/** The URL of a webhook trigger, and a shell command that posts the workflow's sample input to it. */
export function HookAddress({ url, config, workflowId }: HookAddressProps) {
  const sample = begunOf(workflowId)?.sample ?? { hello: 'world' };
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
        <CodeBlock code={hookCurl(url, config, sample)} label="curl line" wrap />
      </div>
    </Stack>
  );
}

interface HookAddressProps {
  url: string;
  config: TriggerConfig;
  workflowId: string;
}
