import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { IntegrationChangesDocument } from '../graphql/integration-changes.generated.js';
import { EmptyState } from '../ui/pages/empty-state.js';
import { NotThere } from '../ui/pages/not-there.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { StatusBadge } from '../ui/values/status-badge.js';
import { usePaging } from '../ui/tables/use-paging.js';
import { useSoon } from '../ui/use-soon.js';
import { CallSection } from './calls/call-section.js';
import { AppEvents } from './events/app-events.js';
import { Dependants } from './dependants/dependants.js';
import { IntegrationActions } from './integration-actions.js';
import { IntegrationFacts } from './integration-facts.js';
import { IntegrationHistory } from './integration-history.js';
import { IntegrationDocument } from './integration.generated.js';
import classes from './integration.module.css';
import { IntegrationStatusNotice } from './integration-status-notice.js';
import { IconPlugConnectedX } from '../ui/icons/icons.js';

const TRAIL = [{ to: '/integrations', label: 'Connections' }];

/** `/integrations/:id`: the status and its reason, actions, dependents and history. */
export function IntegrationPage() {
  const { id = '' } = useParams();
  // The key resets dialogs and test results when the id changes.
  return <OneIntegration key={id} id={id} />;
}

function OneIntegration({ id }: { id: string }) {
  const [deleted, setDeleted] = useState(false);
  const { page, perPage } = usePaging();
  const [{ data, error, fetching }, reload] = useQuery({
    query: IntegrationDocument,
    variables: { id, page, perPage },
    pause: deleted,
  });
  const refetch = useSoon(() => !deleted && reload({ requestPolicy: 'network-only' }), 150);
  useSubscription({ query: IntegrationChangesDocument }, (_before, news) => {
    const change = news.integrationStatusChanged;
    if (change.integration.id === id) {
      if (change.reason === 'deleted') setDeleted(true);
      else refetch();
    }
    return news;
  });
  if (deleted) return <Deleted />;
  const integration = data?.integration;
  const retry = (): void => reload({ requestPolicy: 'network-only' });
  if (integration === undefined && error !== undefined)
    return <NotThere what="connection" all="/integrations" error={error} onRetry={retry} />;
  if (integration === undefined)
    return (
      <>
        <PageHeader title="Connection" trail={TRAIL} />
        <Loading />
      </>
    );
  return (
    <>
      <PageHeader
        title={integration.name}
        trail={TRAIL}
        badge={<StatusBadge status={integration.status} />}
        actions={<IntegrationActions integration={integration} onDeleting={setDeleted} />}
      />
      <IntegrationStatusNotice integration={integration} />
      <div className={classes.columns}>
        <div>
          <Dependants integration={integration} />
          <AppEvents integration={integration} />
          <CallSection integration={integration} onCalled={refetch} />
          <IntegrationHistory integration={integration} fetching={fetching} />
        </div>
        <IntegrationFacts integration={integration} />
      </div>
    </>
  );
}

function Deleted() {
  return (
    <EmptyState
      icon={IconPlugConnectedX}
      level={1}
      title="This connection was deleted"
      action={<Link to="/integrations">See all connections</Link>}
    >
      Triggers on its events have stopped.
    </EmptyState>
  );
}

function Loading() {
  return (
    <div className={classes.columns} aria-hidden>
      <div>
        <Skeleton height={16} width={160} mb={14} />
        <Skeleton height={150} radius="lg" mb={32} />
        <Skeleton height={16} width={120} mb={14} />
        <Skeleton height={220} radius="lg" />
      </div>
      <Skeleton height={330} radius="lg" />
    </div>
  );
}
