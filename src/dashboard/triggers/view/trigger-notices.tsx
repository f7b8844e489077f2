import { Link } from 'react-router';
import { Notice } from '../../ui/pages/notice.js';
import { statusLabel } from '../../ui/values/status-badge.js';
import { textIn } from '../trigger-config.js';
import classes from '../trigger.module.css';
import { type TriggerDetail } from '../trigger-detail.js';
import { type EventSource } from '../fields/use-sources.js';
import { WorkflowRests } from '../workflow-rests.js';

/** The reasons why a trigger does not fire, each with a way to fix it; renders nothing while it does. */
export function TriggerNotices({ trigger, source }: { trigger: TriggerDetail; source: EventSource | undefined }) {
  const { status, config, unreadable, workflow } = trigger;
  return (
    <div className={classes.notices}>
      {status === 'ERROR' && (
        <Notice tone="bad" title="It cannot fire">
          <ErrorReason event={textIn(config, 'event') ?? ''} source={source} />
        </Notice>
      )}
      {unreadable !== null && (
        <Notice tone="bad" title="Its secret or URL cannot be read">
          {unreadable} Or delete the trigger and create another one.
        </Notice>
      )}
      {status === 'PAUSED' && (
        <Notice tone="warn" title="It is paused">
          Posts and events that come now are recorded as skipped runs, and schedules do not run, until you resume it.
        </Notice>
      )}
      <WorkflowRests workflow={workflow} />
    </div>
  );
}

function ErrorReason({ event, source }: { event: string; source: EventSource | undefined }) {
  if (source === undefined)
    return (
      <>
        No connection sends “{event}” now. <Link to="/integrations/new">Connect an application</Link> that does, and the
        trigger fires again.
      </>
    );
  return (
    <>
      Its connection <Link to={`/integrations/${source.id}`}>“{source.name}”</Link> is{' '}
      {statusLabel(source.status).toLowerCase()}. Reconnect it: then the trigger fires again automatically.
    </>
  );
}
