import { type ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../ui/copy-button.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { type WebhookFactsFragment } from './webhooks.generated.js';
import classes from './webhook.module.css';
import { WorkflowName } from './workflow-name.js';

/** What is known of a webhook. */
export function WebhookFactsList({ webhook }: { webhook: WebhookFactsFragment }) {
  const { id, url, events, workflowId, createdAt } = webhook;
  return (
    <dl className={classes.facts} aria-label="Facts">
      <Fact name="Address">
        <Copied value={url} label="Copy address" />
      </Fact>
      <Fact name="Hears of">
        {workflowId === null ? (
          'The whole account'
        ) : (
          <Link to={`/workflows/${workflowId}`}>
            <WorkflowName id={workflowId} />
          </Link>
        )}
      </Fact>
      <Fact name="Made">
        <RelativeTime at={createdAt} />
      </Fact>
      <Fact name="Id">
        <Copied value={id} label="Copy id" />
      </Fact>
      <Fact name="Events" wide>
        <ul className={classes.events}>
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </Fact>
    </dl>
  );
}

function Copied({ value, label }: { value: string; label: string }) {
  return (
    <span className={classes.copied}>
      <code title={value}>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
