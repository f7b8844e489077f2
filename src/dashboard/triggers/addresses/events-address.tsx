import { Link } from 'react-router';
import { CodeBlock } from '../../ui/values/code-block.js';
import classes from '../trigger-form.module.css';
import { type EventSource } from '../fields/use-sources.js';

/** The URL to which an application must post its events. */
export function EventsAddress({ source }: { source: EventSource }) {
  if (source.eventsUrl === null) return null;
  const application = source.integrationType?.name ?? source.name;
  return (
    <div>
      <p className={classes.groupLabel}>Where {application} must post its events</p>
      <p className={classes.groupText}>
        Set this URL once in {application}; it serves all triggers of the connection. The signing secret is on{' '}
        <Link to={`/integrations/${source.id}`}>the page of “{source.name}”</Link>.
      </p>
      <CodeBlock code={source.eventsUrl} label="Event URL" wrap />
    </div>
  );
}
