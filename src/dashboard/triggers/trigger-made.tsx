import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Notice } from '../ui/pages/notice.js';
import { EventsAddress } from './addresses/events-address.js';
import { HookAddress } from './addresses/hook-address.js';
import classes from './trigger-form.module.css';
import { textIn } from './trigger-config.js';
import { type CreateTriggerMutation } from './triggers.generated.js';
import { triggerInWords } from './trigger-words.js';
import { sourcesOf, useSources } from './fields/use-sources.js';
import { WorkflowRests } from './workflow-rests.js';
import { zonedTime } from './fields/zoned-time.js';

/** The next steps for a new trigger: the URL to post to, its first tick, missing prerequisites. */
export function TriggerMade({
  trigger,
  onDone,
}: {
  trigger: CreateTriggerMutation['createTrigger'];
  onDone: () => void;
}) {
  const { type, config, webhookUrl, workflow } = trigger;
  const { sources, nameOf } = useSources(type !== 'APP_EVENT');
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <Stack gap="md">
      <div ref={head} tabIndex={-1} className={classes.made}>
        <Notice tone="good" title="Trigger created">
          {fires(trigger, triggerInWords(trigger, nameOf))}
        </Notice>
      </div>
      {webhookUrl !== null && <HookAddress url={webhookUrl} config={config} workflowId={workflow.id} />}
      {type === 'APP_EVENT' &&
        sourcesOf(sources, config).map((source) => <EventsAddress key={source.id} source={source} />)}
      <WorkflowRests workflow={workflow} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" component={Link} to={`/triggers/${trigger.id}`}>
          Open trigger
        </Button>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

function fires({ type, config, nextFireAt }: CreateTriggerMutation['createTrigger'], words: string): string {
  if (type === 'MANUAL') return 'Fire it on its page, or by the API.';
  if (type === 'WEBHOOK') return 'Each POST to its URL starts a run.';
  if (type === 'APP_EVENT') return `Each ${words} starts a run.`;
  if (nextFireAt === null) return `${words}.`;
  return `${words}. First on ${zonedTime(nextFireAt, textIn(config, 'timezone') ?? 'UTC')}.`;
}
