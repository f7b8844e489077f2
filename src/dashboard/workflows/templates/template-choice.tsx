import { Radio, Stack } from '@mantine/core';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { type Template } from './template.js';

/** The choice of what a new workflow begins with: nothing, or a template. */
export function TemplateChoice({ email, chosen, onChoose, notice }: TemplateChoiceProps) {
  const templates = useTemplates(email);
  return (
    <Radio.Group
      label="Start from"
      value={chosen?.name ?? ''}
      onChange={(name) => onChoose(templates.find((template) => template.name === name))}
    >
      <Stack gap="xs" mt={6}>
        <Radio value="" label="Empty" description="No actions or triggers yet." />
        {templates.map((template) => (
          <Fragment key={template.name}>
            <Radio value={template.name} label={template.name} description={inWords(template)} />
            {template.name === chosen?.name && notice}
          </Fragment>
        ))}
      </Stack>
    </Radio.Group>
  );
}

function inWords({ description, needs }: Template): string {
  const names = Object.values(needs);
  return names.length === 0 ? description : `${description} Needs a connection to ${names.join(' and ')}.`;
}

/** Their code loads with the dialog; until then only the empty workflow is offered. */
function useTemplates(email: string): readonly Template[] {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  useEffect(() => {
    let isShown = true;
    const load = async (): Promise<void> => {
      const { TEMPLATES } = await import('./catalog/index.js');
      if (isShown) setTemplates(TEMPLATES.map((templateFor) => templateFor({ email })));
    };
    // Without them, an empty workflow can still be created.
    load().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [email]);
  return templates;
}

/** `chosen` is undefined for an empty workflow; `notice` stands below the chosen template. */
export interface TemplateChoiceProps {
  email: string;
  chosen: Template | undefined;
  onChoose: (template: Template | undefined) => void;
  notice?: ReactNode;
}
