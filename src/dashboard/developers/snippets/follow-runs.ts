import { type Place, socketOrigin, type Ways } from './snippet.js';

const FIELDS = 'status previousStatus at run { id workflowId }';

/** Every change of the account's runs, without end. */
export function followRuns(place: Place): Ways {
  return [
    {
      way: 'graphql-ws',
      code: `// npm install graphql-ws
import { createClient } from 'graphql-ws';

const client = createClient({
  url: '${socketOrigin(place)}/graphql',
  connectionParams: { authorization: \`Bearer \${process.env.KEY}\` },
  // The defaults give up while the service restarts.
  retryAttempts: Infinity,
  shouldRetry: () => true,
});

// After a lost connection the client sends this object again, so that it resumes behind the last change.
const variables = {};
const query = \`subscription ($after: ID) {
  runStatusChanged(after: $after) { id ${FIELDS} }
}\`;
for await (const { data, errors } of client.iterate({ query, variables })) {
  if (errors) throw new Error(errors[0].message);
  const { id, run, status } = data.runStatusChanged;
  variables.after = id;
  console.log(run.id, status);
}`,
    },
    {
      way: 'curl, streamed',
      code: `curl -sSN ${place.origin}/graphql/stream \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"query":"subscription { runStatusChanged { ${FIELDS} } }"}'`,
    },
  ];
}
