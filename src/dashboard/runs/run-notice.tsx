import { ExactTime } from '../ui/values/exact-time.js';
import { Notice } from '../ui/pages/notice.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import classes from './run.module.css';
import { MissedTimes } from './list/missed-times.js';
import { type RunInDetailFragment } from './run.generated.js';
import { runReason } from './status-reasons.js';

/**
 * The reason why a run failed or was skipped, or the end of its wait. Renders nothing if there is nothing to explain.
 */
export function RunNotice({ run }: { run: RunInDetailFragment }) {
  const { status, statusReason, error, resumesAt } = run;
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
          {reason ?? 'A user stopped it. Its finished steps are not undone.'}
        </Notice>
      )}
      {resumesAt !== null && (
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
