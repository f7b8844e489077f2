import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Notice } from '../ui/notice.js';
import { EventsAddress } from './events-address.js';
import { HookAddress } from './hook-address.js';
import classes from './trigger-form.module.css';
import { textIn } from './trigger-config.js';
import { type CreateTriggerMutation } from './triggers.generated.js';
import { triggerInWords } from './trigger-words.js';
import { useSources } from './use-sources.js';
import { WorkflowRests } from './workflow-rests.js';
import { zonedTime } from './zoned-time.js';

/** What to do with a trigger that was just made: where to post, when it fires first, what is still missing. */
export function TriggerMade({
  trigger,
  onDone,
}: {
  trigger: CreateTriggerMutation['createTrigger'];
  onDone: () => void;
}) {
  const { type, config, webhookUrl, nextFireAt, workflow } = trigger;
  const { byId, nameOf } = useSources(type !== 'APP_EVENT');
  const source = byId.get(textIn(config, 'integration_id') ?? '');
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <Stack gap="md">
      <div ref={head} tabIndex={-1} className={classes.made}>
        <Notice tone="good" title="The trigger is there">
          {triggerInWords(trigger, nameOf)}
          {nextFireAt !== null && `. First on ${zonedTime(nextFireAt, textIn(config, 'timezone') ?? 'UTC')}`}
        </Notice>
      </div>
      {webhookUrl !== null && <HookAddress url={webhookUrl} config={config} />}
      {source !== undefined && <EventsAddress source={source} />}
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
