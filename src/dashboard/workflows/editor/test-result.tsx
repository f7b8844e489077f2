import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { isOver } from '../../runs/run-states.js';
import { useLiveRun } from '../../runs/use-live-run.js';
import { ErrorState } from '../../ui/error-state.js';
import { Notice } from '../../ui/notice.js';
import { StatusBadge } from '../../ui/status-badge.js';
import classes from './test-panel.module.css';
import { TestStep } from './test-step.js';

/** What a test run has done so far, step by step. */
export function TestResult({ id }: { id: string }) {
  const { run, error: lost, reload } = useLiveRun(id);
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
      {steps.length === 0 && isOver(status) && <p className={classes.lead}>No action was carried out.</p>}
      <ol className={classes.steps}>
        {steps.map((step) => (
          <TestStep key={`${id} ${step.index}`} step={step} />
        ))}
      </ol>
    </div>
  );
}
