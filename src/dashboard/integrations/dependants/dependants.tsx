import { Link } from 'react-router';
import { Section } from '../../ui/pages/section.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import classes from './dependants.module.css';
import { type IntegrationDetail } from '../integration-detail.js';
import { triggerInWords } from './trigger-in-words.js';
import { hasUnnamedUse, UnnamedUse } from './unnamed-use.js';

/** Links to the workflows and triggers that need a connection. */
export function Dependants({ integration }: { integration: IntegrationDetail }) {
  const { workflows, triggers } = integration;
  if (workflows.meta.total === 0 && triggers.meta.total === 0) {
    return (
      <Section title="Used by">
        <NotNamed integration={integration} />
      </Section>
    );
  }
  return (
    <Section title="Used by">
      <ul className={classes.list}>
        {workflows.items.map(({ id, name, status }) => (
          <li key={id}>
            <Link to={`/workflows/${id}`}>{name}</Link>
            <StatusBadge status={status} />
          </li>
        ))}
        <More total={workflows.meta.total} shown={workflows.items.length} what="workflows" />
        {triggers.items.map(({ id, config, type, status, workflow }) => (
          <li key={id}>
            <span>
              {triggerInWords(type, config)} <span className={classes.soft}>fires</span>{' '}
              <Link to={`/workflows/${workflow.id}/triggers`}>{workflow.name}</Link>
            </span>
            <StatusBadge status={status} />
          </li>
        ))}
        <More total={triggers.meta.total} shown={triggers.items.length} what="triggers" />
      </ul>
      {hasUnnamedUse(integration) && (
        <p className={classes.note}>
          <UnnamedUse integration={integration} />
        </p>
      )}
    </Section>
  );
}

function NotNamed({ integration }: { integration: IntegrationDetail }) {
  if (hasUnnamedUse(integration)) {
    return (
      <p className={classes.none}>
        No workflow names this connection. <UnnamedUse integration={integration} />
      </p>
    );
  }
  return (
    <p className={classes.none}>
      Not used yet. <Link to="/workflows">A workflow</Link> uses it once an action calls it, or a trigger waits for its
      events.
    </p>
  );
}

function More({ total, shown, what }: { total: number; shown: number; what: string }) {
  if (total <= shown) return null;
  return (
    <li className={classes.soft}>
      and {(total - shown).toLocaleString('en')} more {what}
    </li>
  );
}
