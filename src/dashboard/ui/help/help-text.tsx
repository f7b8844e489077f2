import { Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../pages/notice.js';
import classes from './help.module.css';
import { loadSection } from './load-section.js';
import { type Topic } from './topics.js';

/** The text of one part of the reference, as the service renders it. */
export function HelpText({ topic }: { topic: Topic }) {
  const [nodes, setNodes] = useState<readonly Node[] | 'failed'>();
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isShown = true;
    loadSection(topic).then(
      (loaded) => isShown && setNodes(loaded),
      () => isShown && setNodes('failed'),
    );
    return () => {
      isShown = false;
    };
  }, [topic]);
  useEffect(() => {
    if (nodes !== 'failed') text.current?.replaceChildren(...(nodes ?? []));
  }, [nodes]);
  if (nodes === 'failed') {
    return (
      <Notice tone="bad" title="The reference did not load">
        Check your connection, then open this help again.
      </Notice>
    );
  }
  return (
    <>
      {nodes === undefined && <Skeleton height={180} radius="md" />}
      <div ref={text} className={classes.text} />
    </>
  );
}
