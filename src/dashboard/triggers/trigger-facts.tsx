import { Link } from 'react-router';
import { CopyButton } from '../ui/copy-button.js';
import { ExactTime } from '../ui/exact-time.js';
import { RelativeTime } from '../ui/relative-time.js';
import classes from './trigger.module.css';
import { type TriggerDetail } from './trigger-detail.js';
import { type EventSource } from './use-sources.js';

/** What a trigger is and what it belongs to, side by side. */
export function TriggerFacts({ trigger, source }: { trigger: TriggerDetail; source: EventSource | undefined }) {
  const { id, type, workflow, nextFireAt, createdAt } = trigger;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Workflow</dt>
        <dd>
          <Link to={`/workflows/${workflow.id}`}>{workflow.name}</Link>
        </dd>
      </div>
      {source !== undefined && (
        <div>
          <dt>Connection</dt>
          <dd>
            <Link to={`/integrations/${source.id}`}>{source.name}</Link>
          </dd>
        </div>
      )}
      {type === 'SCHEDULE' && (
        <div>
          <dt>Next</dt>
          <dd>{nextFireAt === null ? 'Rests' : <NextTime at={nextFireAt} />}</dd>
        </div>
      )}
      <div>
        <dt>Made</dt>
        <dd>
          <RelativeTime at={createdAt} />
        </dd>
      </div>
      <div>
        <dt>Id</dt>
        <dd className={classes.id}>
          <code>{id}</code>
          <CopyButton value={id} label="Copy trigger id" />
        </dd>
      </div>
    </dl>
  );
}

function NextTime({ at }: { at: string }) {
  return (
    <>
      <RelativeTime at={at} /> (<ExactTime at={at} />)
    </>
  );
}
