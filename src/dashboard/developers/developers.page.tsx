import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { CodeBlock } from '../ui/values/code-block.js';
import { PageHeader } from '../ui/pages/page-header.js';
import { Section } from '../ui/pages/section.js';
import { NewestIntegrationDocument } from './developers.generated.js';
import { Endpoints } from './endpoints.js';
import { SnippetTabs } from './snippet-tabs.js';
import { awaitConnection } from './snippets/await-connection.js';
import { followRuns } from './snippets/follow-runs.js';
import { listWorkflows } from './snippets/list-workflows.js';
import { verifyWebhook } from './snippets/verify-webhook.js';
import { Tools } from './tools.js';
import { IconKey } from '../ui/icons/icons.js';

/** `/developers`: the URLs of this service, and code that uses them without changes. */
export function DevelopersPage() {
  const [{ data }] = useQuery({ query: NewestIntegrationDocument });
  const { origin } = location;
  const place = { origin, integrationId: data?.integrations.items[0]?.id ?? 'int_...' };
  const makeKey = (
    <Button component={Link} to="/settings/api-keys" variant="default" leftSection={<IconKey size={16} aria-hidden />}>
      Create an API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Developers"
        lead="Workflows, triggers, connections and runs, from your own code: over GraphQL, over REST, and live."
        actions={makeKey}
      />
      <Tools />
      <Section
        title="Endpoints"
        lead="With an API key as Bearer token; over a WebSocket in its first message, as the code below shows."
      >
        <Endpoints origin={origin} />
      </Section>
      <Section title="Set your key in the shell" lead="The code below reads it from there.">
        <CodeBlock code="export KEY=wfk_..." label="Export of the key" />
      </Section>
      <SnippetTabs
        title="List workflows"
        lead="The same list over GraphQL and REST: REST is a view of the GraphQL schema."
        snippets={listWorkflows(place)}
      />
      <SnippetTabs
        title="Wait for a connection"
        lead="Get notified the moment access is allowed. The current state arrives first, so no change is missed."
        snippets={awaitConnection(place)}
      />
      <SnippetTabs
        title="Follow every run"
        lead="Each change of each run, as it happens."
        snippets={followRuns(place)}
      />
      <SnippetTabs
        title="Verify a webhook"
        lead={
          <>
            What your <Link to="/settings/webhooks">webhooks</Link> receive is signed as Standard Webhooks says. An
            event may arrive twice: ignore a <code>webhook-id</code> that you have already processed.
          </>
        }
        snippets={verifyWebhook()}
      />
    </>
  );
}
