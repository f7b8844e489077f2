import { Notice } from '../ui/notice.js';
import { type IntegrationDetail } from './integration.page.js';
import classes from './integration.module.css';
import { reasonInWords } from './status-reasons.js';

/** Why a connection is not as it should be, in words; nothing while all is well. Told to readers of the screen as it changes. */
export function IntegrationStatusNotice({ integration }: { integration: IntegrationDetail }) {
  const { status, statusReason, integrationType, type } = integration;
  const app = integrationType?.name ?? type;
  const words = reasonInWords(statusReason ?? status.toLowerCase());
  return (
    <div aria-live="polite">
      {integrationType === null && (
        <div className={classes.notice}>
          <Notice tone="warn" title="Not offered any more">
            The operator has taken {type} out of this service, so the connection cannot be used or renewed.
          </Notice>
        </div>
      )}
      {(status !== 'CONNECTED' || statusReason !== null) && (
        <div className={classes.notice}>
          <Notice tone={status === 'PENDING' ? 'busy' : 'warn'} title={words.label}>
            {status === 'CONNECTED' && 'The last attempt to reconnect failed; the connection still works. '}
            {words.sentence(app)}
          </Notice>
        </div>
      )}
    </div>
  );
}
