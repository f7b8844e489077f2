import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';
import { AppMark } from '../integrations/catalog/app-mark.js';
import { reasonInWords } from '../integrations/status-reasons.js';
import { useReconnect } from '../integrations/use-reconnect.js';
import { EndDate } from '../ui/values/end-date.js';
import { useSoon } from '../ui/use-soon.js';
import { Card } from './card.js';
import classes from './card.module.css';
import { NeedsAttentionDocument, type NeedsAttentionQuery } from './overview.generated.js';

type Integration = NeedsAttentionQuery['integrations']['items'][number];

/** Connections that have ended or end soon, with a link to fix each. In quiet mode the card is hidden without any. */
export function AttentionCard({ quiet }: { quiet: boolean }) {
  const [{ data, error }, ask] = useQuery({ query: NeedsAttentionDocument });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(reload, 300);
  useSubscription({ query: IntegrationChangesDocument }, (_before, change) => {
    soon();
    return change;
  });
  const { reconnect, dialog } = useReconnect();
  const { items, meta } = data?.integrations ?? {};
  const isHidden = quiet && (items === undefined || items.length === 0);
  const more = meta !== undefined && items !== undefined && meta.total > items.length;
  return (
    <>
      {!isHidden && (
        <Card
          title="Connections that need attention"
          area="attention"
          rows={items}
          size={1}
          error={error}
          onRetry={reload}
          none={{ icon: IconCircleCheck, tone: 'good', text: 'All connections in use are healthy.' }}
          more={more ? { to: '/integrations?needs_attention=true', label: `All ${meta.total}` } : undefined}
        >
          {(integration) => (
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
                  onClick={() => reconnect(integration)}
                >
                  Reconnect
                </Button>
              )}
            </>
          )}
        </Card>
      )}
      {dialog}
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
