import { type AuthChecker, getMetadataStorage } from 'type-graphql';
import { type Access, type Caller, type KeyCaller, NOT_FOR_SESSIONS, type RequestContext } from '../context.js';
import { AppError } from '../errors.js';

type Rule = { [K in Caller['kind']]: Record<Access, (caller: Extract<Caller, { kind: K }>) => boolean> };

const always = (): boolean => true;
const never = (): boolean => false;
const writes = (caller: KeyCaller): boolean => caller.scope === 'read-write';

/**
 * The permissions of each kind of caller: the only authorization rule. A caller reaches its own account only, and a
 * connect session only its own integrations; the queries enforce that.
 */
const PERMISSIONS: Rule = {
  key: { read: always, follow: always, write: writes, connect: writes, reconnect: writes, person: never },
  connect_session: {
    read: never,
    follow: always,
    write: never,
    connect: ({ integrationId }) => integrationId === null,
    reconnect: always,
    person: never,
  },
  person: { read: always, follow: always, write: always, connect: always, reconnect: always, person: always },
};

const READ_ONLY = 'The key is read-only: this needs a read-write key.';
const REASONS: Record<Caller['kind'], Partial<Record<Access, string>>> = {
  key: {
    write: READ_ONLY,
    connect: READ_ONLY,
    reconnect: READ_ONLY,
    person: 'This needs a person who is signed in: an API key cannot manage keys or users.',
  },
  connect_session: {
    connect:
      'This connect session reconnects one integration: POST /v1/integrations/{id}/reconnect, or `reconnectIntegration`.',
  },
  person: {},
};

/** Whether a caller has a permission. */
export function isAllowed(caller: Caller, access: Access): boolean {
  const rule = PERMISSIONS[caller.kind][access] as (caller: Caller) => boolean;
  return rule(caller);
}

/** Requires a permission. @throws AppError `forbidden`. */
export function authorize(caller: Caller, access: Access): void {
  if (!isAllowed(caller, access)) throw new AppError('forbidden', REASONS[caller.kind][access] ?? NOT_FOR_SESSIONS);
}

/** TypeGraphQL's checker: each root field names its permission in `@Authorized`. */
export const authChecker: AuthChecker<RequestContext, Access> = ({ context }, roles) => {
  for (const access of roles) authorize(context.caller, access);
  return true;
};

/**
 * The permission that a root field requires, from its `@Authorized`; undefined when it names none, which a test
 * forbids.
 */
export function accessOf(rootField: string): Access | undefined {
  const storage = getMetadataStorage();
  const fields = [...storage.queries, ...storage.mutations, ...storage.subscriptions];
  return fields.find(({ schemaName }) => schemaName === rootField)?.roles?.[0] as Access | undefined;
}
