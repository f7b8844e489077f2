import { type Place, socketOrigin, type Ways } from './snippet.js';

/** Waiting until a connection is no longer pending: long polls, server-sent events, a WebSocket. */
export function awaitConnection(place: Place): Ways {
  return [
    { way: 'graphql-ws', code: overSocket(place) },
    { way: 'curl', code: held(place) },
    { way: 'curl, streamed', code: streamed(place) },
    { way: 'fetch', code: looped(place) },
  ];
}

const overSocket = (place: Place) => `// npm install graphql-ws
import { createClient } from 'graphql-ws';

const client = createClient({
  url: '${socketOrigin(place)}/graphql',
  connectionParams: { authorization: \`Bearer \${process.env.KEY}\` },
  // The defaults give up while the service restarts.
  retryAttempts: Infinity,
  shouldRetry: () => true,
});

const query = \`subscription ($id: ID!) {
  integrationStatusChanged(integrationId: $id) { version status reason }
}\`;

for await (const { data, errors } of client.iterate({ query, variables: { id: '${place.integrationId}' } })) {
  if (errors) throw new Error(errors[0].message);
  const { status, reason } = data.integrationStatusChanged;
  console.log(status, reason ?? '');
  if (status !== 'PENDING') break;
}
await client.dispose();`;

const held = ({
  origin,
  integrationId,
}: Place) => `# Answered as soon as it is no longer pending, after 30 seconds at the latest.
curl -sS "${origin}/v1/integrations/${integrationId}?wait=30" \\
  -H "Authorization: Bearer $KEY"`;

const streamed = ({ origin, integrationId }: Place) => `# One event for each change, until you press Ctrl+C.
curl -sSN ${origin}/graphql/stream \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"query":"subscription { integrationStatusChanged(integrationId: \\"${integrationId}\\") { version status reason } }"}'`;

const looped = ({ origin, integrationId }: Place) => `async function settled(id) {
  for (;;) {
    // Responds at the next change, or after 30 seconds.
    const answer = await fetch(\`${origin}/v1/integrations/\${id}?wait=30\`, {
      headers: { authorization: \`Bearer \${process.env.KEY}\` },
    });
    const integration = await answer.json();
    if (!answer.ok) throw new Error(integration.message);
    if (integration.status !== 'pending') return integration;
  }
}

const { status, status_reason } = await settled('${integrationId}');
console.log(status, status_reason ?? '');`;
