import { ActionIcon, Button, Group, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../../ui/pages/notice.js';
import { readInput } from '../../../ui/json/json-text.js';
import { useAction } from '../../../ui/forms/use-action.js';
import { TestResult, type TestResultProps } from './test-result.js';
import classes from './test-panel.module.css';
import { TestWorkflowDocument } from '../test-run.generated.js';
import { type Save } from '../saving/use-save.js';
import { type Source } from '../../../runs/source/use-source-run.js';
import { IconFlask, IconX } from '../../../ui/icons/icons.js';

/** Runs the saved actions with an input from the user, and shows the result of each. */
export function TestPanel({ workflowId, source, asked, dirty, saved, save, onEnd, onClose, refusal }: TestPanelProps) {
  const { run: start, running } = useAction(TestWorkflowDocument);
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [runId, setRunId] = useState<string>();
  const heading = useFocusedHeading(asked);
  const input = typed ?? source.input;
  const test = async (saveFirst: boolean) => {
    const read = readInput(input);
    setFault(read.fault);
    if (read.fault !== undefined) return;
    if (saveFirst && !(await save())) return;
    const made = await start({
      id: workflowId,
      input: read.value,
      headers: source.run?.triggerHeaders,
      query: source.run?.triggerQuery,
    });
    if (made === undefined) return;
    setTyped(input);
    setRunId(made.testWorkflow.id);
  };
  return (
    <section className={classes.panel} aria-label="Test run">
      <div className={classes.head}>
        <h2 ref={heading} tabIndex={-1}>
          Test run
        </h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close test run" onClick={onClose}>
          <IconX size={17} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.lead}>
        Runs the saved actions for real, so requests and emails are sent. Works on drafts; not counted in statistics.
      </p>
      <Textarea
        label="Input"
        description="JSON; actions read it as {{ trigger.body }}."
        value={input}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(undefined);
        }}
        error={fault}
        minRows={4}
        maxRows={14}
        spellCheck={false}
        classNames={{ input: classes.json }}
      />
      {refusal !== undefined && <Notice tone="warn">{refusal}</Notice>}
      <Group gap="xs">
        <Button
          leftSection={<IconFlask size={16} aria-hidden />}
          loading={running}
          disabled={refusal !== undefined}
          onClick={() => void test(dirty)}
        >
          {dirty ? 'Save and run' : 'Run test'}
        </Button>
        {dirty && (
          <Button variant="default" disabled={refusal !== undefined || running} onClick={() => void test(false)}>
            Run saved version
          </Button>
        )}
      </Group>
      {runId !== undefined && <TestResult key={runId} id={runId} saved={saved} onEnd={onEnd} />}
    </section>
  );
}

/** The user has asked for the panel, so screen readers continue there. */
function useFocusedHeading(asked: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    const { top } = heading.current?.getBoundingClientRect() ?? { top: 0 };
    if (top < 0 || top > window.innerHeight / 2) heading.current?.scrollIntoView({ block: 'start' });
  }, [asked]);
  return heading;
}

/** `asked` counts how often the user has asked for it; `refusal` is the reason why no test run is possible now. */
export interface TestPanelProps {
  workflowId: string;
  source: Source;
  asked: number;
  dirty: boolean;
  /** The JSON of the saved actions. */
  saved: string;
  save: Save['save'];
  onEnd: TestResultProps['onEnd'];
  onClose: () => void;
  refusal: string | undefined;
}
