import { type Icon } from '../ui/icons/icon.js';
import { IconApi, IconBook, IconBrandGraphql, IconFileCode } from '../ui/icons/icons.js';
import classes from './tools.module.css';

const TOOLS: readonly { href: string; name: string; what: string; icon: Icon }[] = [
  {
    href: '/graphiql',
    name: 'GraphiQL',
    what: 'Try queries, mutations and subscriptions, signed in as you are.',
    icon: IconBrandGraphql,
  },
  { href: '/docs', name: 'REST reference', what: 'Every /v1 endpoint, with a form to call it.', icon: IconApi },
  {
    href: '/docs/reference',
    name: 'Documentation',
    what: 'Triggers, actions, errors, limits, webhooks, and how to connect.',
    icon: IconBook,
  },
  {
    href: '/openapi.json',
    name: 'OpenAPI document',
    what: 'For code generators, Postman and the like.',
    icon: IconFileCode,
  },
];

/** Links to the pages of the service outside the dashboard. */
export function Tools() {
  return (
    <ul className={classes.tools}>
      {TOOLS.map(({ href, name, what, icon: Icon }) => (
        <li key={href}>
          <a href={href}>
            <Icon size={18} stroke={1.7} aria-hidden />
            <strong>{name}</strong>
            <span>{what}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
