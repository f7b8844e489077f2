import { CopyButton } from '../ui/values/copy-button.js';
import classes from './endpoints.module.css';

const ENDPOINTS: readonly { name: string; path: string; socket?: true; note: string }[] = [
  { name: 'GraphQL', path: '/graphql', note: 'POST; queries and mutations' },
  {
    name: 'Subscriptions, WebSocket',
    path: '/graphql',
    socket: true,
    note: 'graphql-transport-ws, the protocol of graphql-ws',
  },
  { name: 'Subscriptions, server-sent events', path: '/graphql/stream', note: 'POST; for clients without WebSockets' },
  { name: 'REST', path: '/v1', note: 'JSON, snake_case' },
  { name: 'OpenAPI', path: '/openapi.json', note: 'describes /v1; needs no key' },
  { name: 'GraphQL schema', path: '/schema.graphql', note: 'describes /graphql; needs no key' },
];

/** The URLs of the APIs, each with a copy button. */
export function Endpoints({ origin }: { origin: string }) {
  return (
    <dl className={classes.endpoints}>
      {ENDPOINTS.map(({ name, path, socket, note }) => {
        const address = `${socket === true ? origin.replace(/^http/, 'ws') : origin}${path}`;
        return (
          <div key={name}>
            <dt>
              {name}
              <span>{note}</span>
            </dt>
            <dd>
              <code>{address}</code>
              <CopyButton value={address} label={`Copy URL of ${name}`} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
