import { Skeleton } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router';
import { type RunInDetailFragment } from '../../../runs/run.generated.js';
import { isFinished } from '../../../runs/run-states.js';
import { StepTimeline } from '../../../runs/steps/step-timeline.js';
import { useLiveRun } from '../../../runs/use-live-run.js';
import { ErrorState } from '../../../ui/pages/error-state.js';
import { Notice } from '../../../ui/pages/notice.js';
import { StatusBadge } from '../../../ui/values/status-badge.js';
import classes from './test-panel.module.css';

/** The steps of a test run so far; `onEnd` is called once the run has ended, with what was `saved` when it began. */
export function TestResult({ id, saved, onEnd }: TestResultProps) {
  const [tested] = useState(saved);
  const { run, error: lost, reload } = useLiveRun(id);
  const ended = run !== undefined && isFinished(run.status) ? run : undefined;
  const end = useEffectEvent(() => ended !== undefined && onEnd(ended, tested));
  useEffect(() => {
    if (ended !== undefined) end();
  }, [ended]);
  if (lost !== undefined) return <ErrorState error={lost} onRetry={() => reload({ requestPolicy: 'network-only' })} />;
  if (run === undefined) return <Skeleton height={90} radius="md" />;
  const { status, error, steps } = run;
  return (
    <div className={classes.result}>
      <div className={classes.status}>
        <span role="status">
          <StatusBadge status={status} />
        </span>
        <Link to={`/runs/${id}`}>Open the run</Link>
      </div>
      {error !== null && steps.every((step) => step.error === null) && <Notice tone="bad">{error.message}</Notice>}
      <StepTimeline run={run} />
    </div>
  );
}

/** A new instance for each run. */
export interface TestResultProps {
  id: string;
  saved: string;
  onEnd: (run: RunInDetailFragment, tested: string) => void;
}
