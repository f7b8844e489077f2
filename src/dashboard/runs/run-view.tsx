import { PageHeader } from '../ui/pages/page-header.js';
import { Section } from '../ui/pages/section.js';
import { StatusBadge } from '../ui/values/status-badge.js';
import { RunActions } from './dialogs/run-actions.js';
import { RunFacts } from './run-facts.js';
import { RunInput } from './input/run-input.js';
import { RunNotice } from './run-notice.js';
import { RunRequest } from './input/run-request.js';
import { type RunInDetailFragment } from './run.generated.js';
import { StepTimeline } from './steps/step-timeline.js';
import classes from './run.module.css';

/** One run with its steps. */
export function RunView({ run }: { run: RunInDetailFragment }) {
  return (
    <>
      <PageHeader
        title={`Run of ${run.workflow?.name ?? 'a deleted workflow'}`}
        trail={[{ to: '/runs', label: 'Runs' }]}
        badge={
          <>
            <span role="status">
              <StatusBadge status={run.status} />
            </span>
            {run.isTest && <span className={classes.mark}>Test run</span>}
          </>
        }
        actions={<RunActions run={run} />}
      />
      <RunNotice run={run} />
      <RunFacts run={run} />
      <Section title="Steps">
        <StepTimeline run={run} />
      </Section>
      <Section title="Input" lead={'The data of the trigger; actions read it as {{\u00a0trigger.body\u00a0}}.'}>
        <RunInput id={run.id} />
      </Section>
      <RunRequest id={run.id} />
    </>
  );
}
