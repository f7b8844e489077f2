import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { HelpText } from './help-text.js';
import classes from './help.module.css';
import { type TopicName, TOPICS } from './topics.js';

/** A part of the reference, beside the page. It keeps its text while it closes. */
export function HelpSheet({ topic, opened, onClose }: HelpSheetProps) {
  const [last, setLast] = useState(topic);
  if (topic !== undefined && topic !== last) setLast(topic);
  const shown = last === undefined ? undefined : TOPICS[last];
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      title={shown?.title}
      closeButtonProps={{ 'aria-label': 'Close help' }}
    >
      {shown !== undefined && (
        <>
          <HelpText key={last} topic={shown} />
          <p className={classes.whole}>
            <a href={`/docs/${shown.page}#${shown.section}`} target="_blank" rel="noopener">
              Open the reference
            </a>
          </p>
        </>
      )}
    </Drawer>
  );
}

interface HelpSheetProps {
  topic: TopicName | undefined;
  opened: boolean;
  onClose: () => void;
}
