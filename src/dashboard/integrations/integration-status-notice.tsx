import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { Notice } from '../ui/pages/notice.js';
import { type IntegrationDetail } from './integration-detail.js';
import classes from './integration.module.css';
import { actorAtStart } from '../ui/values/actor-in-words.js';
import { eventInWords, reasonInWords } from './status-reasons.js';

/**
 * Explains why a connection does not work; renders nothing while it does. Screen readers announce changes.
 */
export function IntegrationStatusNotice({ integration }: { integration: IntegrationDetail }) {
  const { status, statusReason, integrationType, type, unreadable } = integration;
  const app = integrationType?.name ?? type;
  const reason = statusReason ?? status.toLowerCase();
  const words = reasonInWords(reason);
  const [latest] = integration.latest.items;
  const actor = latest?.reason === reason ? latest.actor : null;
  return (
    <div aria-live="polite">
      {integrationType === null ? (
        <Remark title="No longer offered">
          The operator removed {type} from this service, so the connection cannot be used or renewed.
        </Remark>
      ) : (
        !integrationType.configured && (
          <Remark title="Cannot be renewed">
            This service no longer has a client id at {app}. <Link to={`/integrations/new/${type}`}>What to set</Link>
          </Remark>
        )
      )}
      {unreadable !== null && (
        <Remark title="Its credentials cannot be read">{unreadable} Reconnecting replaces the credentials.</Remark>
      )}
      {(status !== 'CONNECTED' || statusReason !== null) && (
        <Remark title={eventInWords(reason, actor)} tone={status === 'PENDING' ? 'busy' : 'warn'}>
          {status === 'CONNECTED' &&
            statusReason !== 'superseded' &&
            'The last attempt to reconnect failed; the connection still works. '}
          {words.sentence(app, actorAtStart(actor))}
        </Remark>
      )}
    </div>
  );
}

function Remark({ title, tone = 'warn', children }: { title: string; tone?: 'warn' | 'busy'; children: ReactNode }) {
  return (
    <div className={classes.notice}>
      <Notice tone={tone} title={title}>
        {children}
      </Notice>
    </div>
  );
}
