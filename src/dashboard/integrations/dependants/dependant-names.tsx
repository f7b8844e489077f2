import classes from './dependant-names.module.css';
import { type IntegrationDetail } from '../integration-detail.js';
import { hasUnnamedUse, UnnamedUse } from './unnamed-use.js';

/** In a question before a connection ends: the workflows that will fail without it, as far as they are known. */
export function DependantNames({ integration }: { integration: IntegrationDetail }) {
  const { items, meta } = integration.workflows;
  const isUncertain = hasUnnamedUse(integration);
  if (meta.total === 0 && isUncertain) {
    return (
      <p className={classes.none}>
        No workflow names this connection. <UnnamedUse integration={integration} />
      </p>
    );
  }
  if (meta.total === 0) return <p className={classes.none}>No workflow depends on it.</p>;
  const more = meta.total - items.length;
  return (
    <div className={classes.names}>
      <strong>
        {meta.total === 1 ? '1 workflow depends on it' : `${meta.total.toLocaleString('en')} workflows depend on it`}
      </strong>
      <ul>
        {items.map(({ id, name, status }) => (
          <li key={id}>
            {name}
            {status !== 'ACTIVE' && <span> ({status.toLowerCase()})</span>}
          </li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
      </ul>
      <span>Their triggers on its events stop, and actions that call it fail.</span>
      {isUncertain && (
        <div>
          <UnnamedUse integration={integration} />
        </div>
      )}
    </div>
  );
}
