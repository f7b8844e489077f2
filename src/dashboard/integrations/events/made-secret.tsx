import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Uncached } from '../../graphql/uncached.js';
import { CodeBlock } from '../../ui/values/code-block.js';
import { ErrorState } from '../../ui/pages/error-state.js';
import classes from './app-events.module.css';
import { EventsSecretDocument } from '../integration.generated.js';

/** The secret that the service generated. It is loaded only on demand, and removed from memory when it is hidden. */
export function MadeSecret({ id }: { id: string }) {
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
  if (secret === null) return <p className={classes.none}>It cannot be read right now.</p>;
  return (
    <>
      <CodeBlock code={secret} label="Signing secret" wrap />
      <Button variant="subtle" size="compact-xs" mt={6} onClick={onHide}>
        Hide it
      </Button>
    </>
  );
}
