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
});

const query = 'subscription { runStatusChanged { ${FIELDS} } }';
for await (const { data, errors } of client.iterate({ query })) {
  if (errors) throw new Error(errors[0].message);
  const { run, status } = data.runStatusChanged;
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
