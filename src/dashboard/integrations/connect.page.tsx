import { Skeleton, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { NotThere } from '../ui/pages/not-there.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { CatalogEntryDocument } from './catalog.generated.js';
import { ConnectByKey } from './connect/connect-by-key.js';
import { ConnectByOAuth } from './flow/connect-by-oauth.js';
import classes from './connect/connect.module.css';
import { NotConfigured } from './connect/not-configured.js';
import { type ConnectableApp } from './connect/use-connect-form.js';

const TRAIL = [
  { to: '/integrations', label: 'Connections' },
  { to: '/integrations/new', label: 'Connect an application' },
];

/** `/integrations/new/:type`: connects one application by key or OAuth, or explains what the operator has to set up. */
export function ConnectPage() {
  const { type = '' } = useParams();
  const [{ data, error }, reload] = useQuery({ query: CatalogEntryDocument, variables: { type } });
  const app = data?.integrationType;
  if (app === undefined && error !== undefined)
    return (
      <NotThere
        what="application"
        all="/integrations/new"
        error={error}
        onRetry={() => reload({ requestPolicy: 'network-only' })}
      >
        The URL names no application that can be connected. It may be mistyped.
      </NotThere>
    );
  return (
    <>
      <PageHeader title={app === undefined ? 'Connect' : `Connect ${app.name}`} trail={TRAIL} />
      <div className={classes.card}>{app === undefined ? <Loading /> : <Way key={app.type} app={app} />}</div>
    </>
  );
}

function Way({ app }: { app: ConnectableApp }) {
  if (!app.configured) return <NotConfigured app={app} />;
  return app.auth === 'API_KEY' ? <ConnectByKey app={app} /> : <ConnectByOAuth app={app} />;
}

function Loading() {
  return (
    <Stack gap="md" aria-hidden>
      <Skeleton height={14} width="30%" />
      <Skeleton height={36} />
      <Skeleton height={14} width="30%" />
      <Skeleton height={36} />
    </Stack>
  );
}
