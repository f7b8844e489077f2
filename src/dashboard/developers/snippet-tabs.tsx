import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CodeBlock } from '../ui/values/code-block.js';
import { Section } from '../ui/pages/section.js';
import { type Snippet } from './snippets/snippet.js';

/** Code for one task, in each language. */
export function SnippetTabs({ title, lead, snippets }: SnippetTabsProps) {
  const [chosen, choose] = useState(snippets[0].way);
  const { way, code } = snippets.find((snippet) => snippet.way === chosen) ?? snippets[0];
  const ways = (
    <SegmentedControl
      aria-label={`${title} with`}
      size="xs"
      data={snippets.map((snippet) => snippet.way)}
      value={way}
      onChange={choose}
    />
  );
  return (
    <Section title={title} lead={lead} actions={ways}>
      <CodeBlock code={code} label={`${title} with ${way}`} />
    </Section>
  );
}

/** `title` names the task. */
export interface SnippetTabsProps {
  title: string;
  lead: ReactNode;
  snippets: readonly [Snippet, ...Snippet[]];
}
