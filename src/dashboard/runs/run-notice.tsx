import { ExactTime } from '../ui/values/exact-time.js';
import { Notice } from '../ui/pages/notice.js';
import { actorAtStart } from '../ui/values/actor-in-words.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import classes from './run.module.css';
import { failedAttempt } from './failed-attempt.js';
import { MissedTimes } from './list/missed-times.js';
import { type RunInDetailFragment } from './run.generated.js';
import { useWaitsOfRun } from '../waits/use-waits-of-run.js';
import { WaitedFor, WaitTimes } from '../waits/wait-words.js';
import { runReason } from './status-reasons.js';

/**
 * The reason why a run failed or was skipped, or the end of its wait. Renders nothing if there is nothing to explain.
 */
export function RunNotice({ run }: { run: RunInDetailFragment }) {
  const { id, status, statusReason, error, resumesAt, canceledBy, failingStep } = run;
  const attempt = failedAttempt(run);
  const waits = useWaitsOfRun(id, status === 'WAITING');
  const reason = statusReason === null ? undefined : runReason(statusReason);
  return (
    <div className={classes.notice}>
      {status === 'FAILED' && (
        <Notice tone="bad" title={failedAt(run)}>
          {error?.message ?? reason ?? 'The service gives no reason.'}
        </Notice>
      )}
      {status === 'SKIPPED' && (
        <Notice tone="warn" title="Skipped">
          {reason} <MissedTimes run={run} />
        </Notice>
      )}
      {status === 'CANCELED' && (
        <Notice tone="warn" title="Canceled">
          {reason ?? `${actorAtStart(canceledBy)} stopped it. Its finished steps are not undone.`}
        </Notice>
      )}
      {waits?.map((wait) => (
        <Notice key={wait.id} tone="warn" title="Waiting">
          For <WaitedFor wait={wait} />, <WaitTimes wait={wait} />.
        </Notice>
      ))}
      {resumesAt !== null && attempt !== undefined && (
        <Notice tone="warn" title={`${attempt}: “${failingStep!.name}”`}>
          {failingStep!.error!.message} It is tried again at <ExactTime at={resumesAt} /> (
          <RelativeTime at={resumesAt} />
          ).
        </Notice>
      )}
      {resumesAt !== null && attempt === undefined && (
        <Notice tone="busy" title="Waiting">
          It continues at <ExactTime at={resumesAt} /> (<RelativeTime at={resumesAt} />
          ).
        </Notice>
      )}
    </div>
  );
}

function failedAt({ steps }: RunInDetailFragment): string {
  const failed = steps.find(({ status }) => status === 'FAILED');
  return failed === undefined ? 'Failed' : `Failed at “${failed.name}”`;
}
