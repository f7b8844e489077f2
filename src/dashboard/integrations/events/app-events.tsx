import { CodeBlock } from '../../ui/values/code-block.js';
import { Section } from '../../ui/pages/section.js';
import classes from './app-events.module.css';
import { ScopeList } from '../connect/asked-scopes.js';
import { EventsSecret } from './events-secret.js';
import { type IntegrationDetail } from '../integration-detail.js';
import { SandboxEventLink } from './sandbox-event-link.js';

/** The events of the application: the URL to register there, the secret that verifies them, and the event types. */
export function AppEvents({ integration }: { integration: IntegrationDetail }) {
  const { type, eventsUrl, integrationType } = integration;
  const events = integrationType?.events ?? [];
  if (integrationType === null || events.length === 0 || eventsUrl === null) return null;
  return (
    <Section title="Events" lead={`Triggers can fire on events in ${integrationType.name}. Enter this URL there.`}>
      <ol className={classes.steps}>
        <li>
          <h3>Add a webhook in the settings of {integrationType.name}, with this URL</h3>
          <CodeBlock code={eventsUrl} label="Event URL" wrap />
        </li>
        <li>
          <EventsSecret integration={integration} />
        </li>
        <li>
          <h3>Choose the events, and add a trigger of type “App event” to a workflow</h3>
          <ScopeList scopes={events} />
        </li>
      </ol>
      {type.startsWith('sandbox_') && (
        <p className={classes.none}>
          The sandbox has no settings:{' '}
          <SandboxEventLink integration={integration}>send an event from its page</SandboxEventLink>, with this URL and
          secret.
        </p>
      )}
    </Section>
  );
}
