import { ActionIcon } from '@mantine/core';
import { type ReactNode } from 'react';
import classes from './help.module.css';
import { openHelp } from './open-help.js';
import { type TopicName, TOPICS } from './topics.js';
import { IconHelp } from '../icons/icons.js';

/** A “?” that opens a part of the reference in a sheet beside the page. */
export function HelpButton({ topic }: { topic: TopicName }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={22}
      aria-label={`Help: ${TOPICS[topic].title}`}
      aria-haspopup="dialog"
      onClick={() => openHelp(topic)}
    >
      <IconHelp size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}

/** A field with a “?” beside its label. */
export function WithHelp({ topic, children }: { topic: TopicName; children: ReactNode }) {
  return (
    <div className={classes.field}>
      {children}
      <span className={classes.button}>
        <HelpButton topic={topic} />
      </span>
    </div>
  );
}
