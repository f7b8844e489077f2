import { type Place, type Ways } from './snippet.js';

/** The first workflows with their status. */
export function listWorkflows({ origin }: Place): Ways {
  return [
    {
      way: 'curl',
      code: `curl -sS "${origin}/v1/workflows?per_page=5" \\
  -H "Authorization: Bearer $KEY"`,
    },
    {
      way: 'curl, GraphQL',
      code: `curl -sS ${origin}/graphql \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"query":"{ workflows(perPage: 5) { items { id name status runCount } meta { total } } }"}'`,
    },
    {
      way: 'fetch',
      code: `const query = \`query ($status: WorkflowStatus) {
  workflows(status: $status, perPage: 5) {
    items { id name status runCount }
    meta { total }
  }
}\`;

const answer = await fetch('${origin}/graphql', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables: { status: 'ACTIVE' } }),
});
const { data, errors } = await answer.json();
if (errors) throw new Error(errors[0].message);
console.log(data.workflows.items);`,
    },
  ];
}
