import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { AppMark } from '../integrations/catalog/app-mark.js';
import { reasonInWords } from '../integrations/status-reasons.js';
import { EndDate } from '../ui/values/end-date.js';
import classes from './card.module.css';
import { type NeedsAttentionQuery } from './overview.generated.js';

type Integration = NeedsAttentionQuery['integrations']['items'][number];

/** A connection that has ended or ends soon, why, and the button to reconnect it. */
export function AttentionRow({ onReconnect, ...integration }: Integration & { onReconnect: () => void }) {
  return (
    <>
      <AppMark type={integration.type} name={integration.name} />
      <span className={classes.text}>
        <Link to={`/integrations/${integration.id}`} className={classes.link}>
          {integration.name}
        </Link>
        <Why {...integration} />
      </span>
      {integration.integrationType?.configured === true && (
        <Button
          variant="light"
          size="compact-sm"
          className={classes.action}
          aria-label={`Reconnect ${integration.name}`}
          onClick={onReconnect}
        >
          Reconnect
        </Button>
      )}
    </>
  );
}

function Why({ status, statusReason, expiresAt }: Integration) {
  if (status === 'CONNECTED' && expiresAt !== null) {
    return (
      <span>
        Expires <EndDate at={expiresAt} />
      </span>
    );
  }
  return <span>{reasonInWords(statusReason ?? status.toLowerCase()).label}</span>;
}
