import { Link } from 'react-router';
import { CopiedFact, Fact, Facts } from '../../ui/values/facts.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { type WebhookFactsFragment } from './webhooks.generated.js';
import classes from './webhook.module.css';
import { WorkflowName } from './workflow-name.js';

/** The properties of a webhook. */
export function WebhookFactsList({ webhook }: { webhook: WebhookFactsFragment }) {
  const { id, url, events, workflowId, createdAt } = webhook;
  return (
    <Facts>
      <CopiedFact name="URL" value={url} label="Copy URL" />
      <Fact name="Scope">
        {workflowId === null ? (
          'The whole account'
        ) : (
          <Link to={`/workflows/${workflowId}`}>
            <WorkflowName id={workflowId} />
          </Link>
        )}
      </Fact>
      <Fact name="Created">
        <RelativeTime at={createdAt} />
      </Fact>
      <CopiedFact name="Id" value={id} label="Copy id" />
      <Fact name="Events" wide>
        <ul className={classes.events}>
          {events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      </Fact>
    </Facts>
  );
}
