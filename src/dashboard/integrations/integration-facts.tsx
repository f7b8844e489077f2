import { EndDate } from '../ui/values/end-date.js';
import { CopiedFact, Fact, Facts } from '../ui/values/facts.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { useNow } from '../ui/values/use-now.js';
import { AppMark } from './catalog/app-mark.js';
import { ScopeList } from './connect/asked-scopes.js';
import { type IntegrationDetail } from './integration-detail.js';
import classes from './integration.module.css';

/** The properties of a connection, one per line. */
export function IntegrationFacts({ integration }: { integration: IntegrationDetail }) {
  const { id, type, integrationType, account, connectedAt, reference, scopes } = integration;
  const app = integrationType?.name ?? type;
  return (
    <Facts layout="column">
      <Fact name="Application">
        <span className={classes.app}>
          <AppMark type={type} name={app} />
          {app}
        </span>
      </Fact>
      {account !== null && (
        <Fact name={`Account at ${app}`}>
          {account.name ?? account.externalId}
          {account.name !== null && <div className={classes.soft}>{account.externalId}</div>}
        </Fact>
      )}
      <Fact name="Connected">
        <RelativeTime at={connectedAt} fallback="Not yet" />
      </Fact>
      <Expiry integration={integration} />
      <Blocked until={integration.blockedUntil} app={app} />
      {scopes.length > 0 && (
        <Fact name="Allowed">
          <ScopeList scopes={scopes} />
        </Fact>
      )}
      {reference !== null && <Fact name="Reference">{reference}</Fact>}
      <CopiedFact name="Id" value={id} label="Copy id" />
    </Facts>
  );
}

function Blocked({ until, app }: { until: string | null; app: string }) {
  const now = useNow(until !== null, 1_000);
  if (until === null || Date.parse(until) <= now) return null;
  return (
    <Fact name="Takes no calls">
      <EndDate at={until} />
      <div className={classes.soft}>{app} asked to wait. Runs continue after that.</div>
    </Fact>
  );
}

function Expiry({ integration: { status, expiresAt, renews } }: { integration: IntegrationDetail }) {
  const now = useNow(true, 15_000);
  if (expiresAt === null || status === 'DISCONNECTED') return null;
  return (
    <Fact name={Date.parse(expiresAt) <= now ? 'Expired' : 'Expires'}>
      <EndDate at={expiresAt} />
      {status === 'CONNECTED' && (
        <div className={classes.soft}>
          {renews ? 'Renewed automatically before then.' : 'Not renewed automatically: reconnect it before then.'}
        </div>
      )}
    </Fact>
  );
}
