import { Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { AppMark } from '../integrations/catalog/app-mark.js';
import { reasonInWords } from '../integrations/status-reasons.js';
import { useReconnect } from '../integrations/use-reconnect.js';
import { EndDate } from '../ui/values/end-date.js';
import { type AttentionItem, type RenderRow } from './attention.js';
import classes from './card.module.css';

/** The rows of the card `children`, and the dialog that reconnects one of them. */
export function AttentionRows({ children }: { children: (row: RenderRow) => ReactNode }) {
  const { reconnect, dialog } = useReconnect();
  return (
    <>
      {children((integration) => (
        <AttentionRow {...integration} onReconnect={() => reconnect(integration)} />
      ))}
      {dialog}
    </>
  );
}

/** A connection that has ended or ends soon, why, and the button to reconnect it. */
function AttentionRow({ onReconnect, ...integration }: AttentionItem & { onReconnect: () => void }) {
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

function Why({ status, statusReason, expiresAt }: AttentionItem) {
  if (status === 'CONNECTED' && expiresAt !== null) {
    return (
      <span>
        Expires <EndDate at={expiresAt} />
      </span>
    );
  }
  return <span>{reasonInWords(statusReason ?? status.toLowerCase()).label}</span>;
}
