import { Link } from 'react-router';
import { TRIGGER_TYPES } from '../ui/trigger-types.js';
import { ExactTime } from '../ui/values/exact-time.js';
import { CopiedFact, Fact, Facts } from '../ui/values/facts.js';
import { RetriedBy } from './retried-by.js';
import { RunDuration } from './run-duration.js';
import classes from './run.module.css';
import { isFinished } from './run-states.js';
import { type RunInDetailFragment } from './run.generated.js';

/** The origin and the times of a run. */
export function RunFacts({ run }: { run: RunInDetailFragment }) {
  const { id, workflow, scheduledFor, createdAt, startedAt, attempt, retryOf, retriedBy } = run;
  return (
    <Facts>
      <Fact name="Workflow">
        {workflow === null ? 'Deleted' : <Link to={`/workflows/${workflow.id}`}>{workflow.name}</Link>}
      </Fact>
      <Fact name="Trigger">
        <TriggerOfRun run={run} />
      </Fact>
      {scheduledFor !== null && (
        <Fact name="Scheduled for">
          <ExactTime at={scheduledFor} />
        </Fact>
      )}
      <Fact name="Created">
        <ExactTime at={createdAt} />
      </Fact>
      {startedAt !== null && (
        <Fact name={isFinished(run.status) ? 'Took' : 'So far'}>
          <RunDuration run={run} />
        </Fact>
      )}
      {(attempt > 1 || retryOf !== null) && (
        <Fact name="Attempt">
          {attempt}
          {retryOf !== null && (
            <>
              , retry of <Link to={`/runs/${retryOf}`}>the run before</Link>
            </>
          )}
        </Fact>
      )}
      {retriedBy !== null && (
        <Fact name="Retried">
          <RetriedBy id={retriedBy} />
        </Fact>
      )}
      <CopiedFact name="Id" value={id} label="Copy run id" />
    </Facts>
  );
}

function TriggerOfRun({ run: { triggerId, triggerType, isTest } }: { run: RunInDetailFragment }) {
  const { label, icon: Icon } = TRIGGER_TYPES[triggerType];
  if (isTest && triggerId === null) return 'None (test run)';
  return (
    <span className={classes.trigger}>
      <Icon size={15} stroke={1.7} aria-hidden />
      {triggerId === null ? `${label} (deleted)` : <Link to={`/triggers/${triggerId}`}>{label}</Link>}
    </span>
  );
}
