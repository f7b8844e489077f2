import { lazy, Suspense, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';
import { useSoon } from '../ui/use-soon.js';
import { type RenderRow } from './attention.js';
import { Card } from './card.js';
import { NeedsAttentionDocument } from './overview.generated.js';
import { IconCircleCheck } from '../ui/icons/icons.js';

// Most accounts have none. The rows bring the dialogs of all kinds of flows.
const AttentionRows = lazy(async () => ({ default: (await import('./attention-rows.js')).AttentionRows }));

/** Connections that have ended or end soon, with a link to fix each. In quiet mode the card is hidden without any. */
export function AttentionCard({ quiet }: { quiet: boolean }) {
  const [{ data, error }, ask] = useQuery({ query: NeedsAttentionDocument });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  const soon = useSoon(reload, 300);
  useSubscription({ query: IntegrationChangesDocument }, (_before, change) => {
    soon();
    return change;
  });
  const { items, meta } = data?.integrations ?? {};
  const isEmpty = items === undefined || items.length === 0;
  // Kept after the last row has gone: a dialog may still be open.
  const [hasRows, setHasRows] = useState(false);
  if (!isEmpty && !hasRows) setHasRows(true);
  const more = meta !== undefined && items !== undefined && meta.total > items.length;
  const card = (row?: RenderRow) =>
    !(quiet && isEmpty) && (
      <Card
        title="Connections that need attention"
        area="attention"
        rows={row === undefined && !isEmpty ? undefined : items}
        size={1}
        error={error}
        onRetry={reload}
        none={{ icon: IconCircleCheck, tone: 'good', text: 'All connections in use are healthy.' }}
        more={more ? { to: '/integrations?needs_attention=true', label: `All ${meta.total}` } : undefined}
      >
        {(integration) => row?.(integration)}
      </Card>
    );
  if (!hasRows) return card();
  return (
    <Suspense fallback={card()}>
      <AttentionRows>{card}</AttentionRows>
    </Suspense>
  );
}
