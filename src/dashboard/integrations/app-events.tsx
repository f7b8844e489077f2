import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Uncached } from '../graphql/uncached.js';
import { CodeBlock } from '../ui/code-block.js';
import { ErrorState } from '../ui/error-state.js';
import { Section } from '../ui/section.js';
import classes from './app-events.module.css';
import { ScopeList } from './asked-scopes.js';
import { EventsSecretDocument } from './integration.generated.js';
import { type IntegrationDetail } from './integration-detail.js';

/** How the application tells of its events: the address to give it, the secret that proves them, what it can tell. */
export function AppEvents({
  integration: { id, type, eventsUrl, integrationType },
}: {
  integration: IntegrationDetail;
}) {
  const events = integrationType?.events ?? [];
  if (integrationType === null || events.length === 0 || eventsUrl === null) return null;
  return (
    <Section
      title="Events"
      lead={`So that triggers fire when something happens in ${integrationType.name}, tell it where to post its events.`}
    >
      <ol className={classes.steps}>
        <li>
          <h3>Add a webhook in the settings of {integrationType.name}, with this address</h3>
          <CodeBlock code={eventsUrl} label="Events address" wrap />
        </li>
        <li>
          <h3>Give it this signing secret, where it asks for one</h3>
          <Secret id={id} />
        </li>
        <li>
          <h3>Choose the events, and add a trigger of type “App event” to a workflow</h3>
          <ScopeList scopes={events} />
        </li>
      </ol>
      {type.startsWith('sandbox_') && (
        <p className={classes.none}>
          The sandbox has no settings: <a href="/sandbox/events">send an event from its page</a>, with this address and
          secret.
        </p>
      )}
    </Section>
  );
}

/** Comes to this browser only when somebody wants to see it, and is gone from it when it is hidden. */
function Secret({ id }: { id: string }) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted)
    return (
      <Uncached>
        <ShownSecret id={id} onHide={() => setWanted(false)} />
      </Uncached>
    );
  return (
    <Button variant="default" size="xs" onClick={() => setWanted(true)}>
      Show the secret
    </Button>
  );
}

function ShownSecret({ id, onHide }: { id: string; onHide: () => void }) {
  const [{ data, error }, reload] = useQuery({ query: EventsSecretDocument, variables: { id } });
  const secret = data?.integration.eventsSecret;
  if (error !== undefined) return <ErrorState error={error} onRetry={() => reload()} />;
  if (secret === undefined) return <Skeleton height={40} aria-hidden />;
  if (secret === null)
    return <p className={classes.none}>None is needed: the address itself is the secret. Keep it.</p>;
  return (
    <>
      <CodeBlock code={secret} label="Signing secret" wrap />
      <Button variant="subtle" size="compact-xs" mt={6} onClick={onHide}>
        Hide it
      </Button>
    </>
  );
}
