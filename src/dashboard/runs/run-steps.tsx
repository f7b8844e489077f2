import { Skeleton, Stack } from '@mantine/core';
import { ErrorState } from '../ui/error-state.js';
import { StepTimeline } from './step-timeline.js';
import { useLiveRun } from './use-live-run.js';

/** The steps of a run on a timeline, with what went in and came out, live until it has ended. */
export function RunSteps({ runId }: { runId: string }) {
  const { run, error, reload } = useLiveRun(runId);
  if (error !== undefined)
    return <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} />;
  if (run === undefined) return <StepsSkeleton />;
  return <StepTimeline run={run} />;
}

/** As high as three steps. */
export function StepsSkeleton() {
  return (
    <Stack gap={8} aria-hidden>
      {[0, 1, 2].map((step) => (
        <Skeleton key={step} height={50} radius="md" />
      ))}
    </Stack>
  );
}
