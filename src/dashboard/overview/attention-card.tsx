import { IconCircleCheck } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';
import { useReconnect } from '../integrations/use-reconnect.js';
import { useSoon } from '../ui/use-soon.js';
import { Card } from './card.js';
import { NeedsAttentionDocument } from './overview.generated.js';

// Most accounts have none.
const AttentionRow = lazy(async () => ({ default: (await import('./attention-row.js')).AttentionRow }));

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
            <Suspense>
              <AttentionRow {...integration} onReconnect={() => reconnect(integration)} />
            </Suspense>
          )}
        </Card>
      )}
      {dialog}
    </>
  );
}
