import { type ErrorDetail } from '../../../../platform/errors.js';
import { textFault } from '../../../../platform/validation.js';
import { type App, type Auth, type AuthKind, authOf } from '../../apps/app.js';
import { CREDENTIAL_FIELDS } from './credential-fields.js';

const MAX_CREDENTIAL_LENGTH = 4096;

/** The way and credentials in a request. Null and undefined: not given. */
export interface GivenAuth {
  auth?: AuthKind | null | undefined;
  credentials?: Record<string, unknown> | null | undefined;
}

/** The way to connect, or the errors of a request that fits none. */
export type ChosenAuth = { auth: Auth; faults: [] } | { auth: undefined; faults: ErrorDetail[] };

/**
 * Chooses the way to connect: the named one; else the first one that takes exactly the given credentials; else, without
 * credentials, `own` if it takes none, the first by OAuth, or the first of all. `own`: the way of the connection so far,
 * which comes before the app's order.
 */
export function chooseAuth(app: App, { auth: kind, credentials }: GivenAuth, own?: AuthKind): ChosenAuth {
  const given = credentials ?? undefined;
  if (kind != null) return checked(app, authOf(app, kind), given, `must be one of ${kindsOf(app)}`);
  const ordered = app.auths.toSorted((a, b) => Number(b.kind === own) - Number(a.kind === own));
  if (given === undefined) {
    const without = ordered.find(({ kind: one }) => one === own && CREDENTIAL_FIELDS[one].length === 0);
    return checked(app, without ?? authOf(app, 'oauth2') ?? ordered[0], given);
  }
  const keyed = ordered.filter(({ kind: one }) => CREDENTIAL_FIELDS[one].length > 0);
  const fitting =
    keyed.find(({ kind: one }) => takesExactly(one, given)) ??
    (keyed.length < 2 ? (keyed[0] ?? ordered[0]) : undefined);
  if (fitting !== undefined) return checked(app, fitting, given);
  const message = `must be exactly ${keyed.map(({ kind: one }) => shapeOf(one)).join(' or ')}`;
  return { auth: undefined, faults: [{ field: 'credentials', message }] };
}

function checked(
  app: App,
  auth: Auth | undefined,
  given: Record<string, unknown> | undefined,
  otherwise = 'must be given',
): ChosenAuth {
  if (auth === undefined) return { auth, faults: [{ field: 'auth', message: otherwise }] };
  const faults = credentialFaults(app, auth.kind, given);
  return faults.length === 0 ? { auth, faults: [] } : { auth: undefined, faults };
}

function credentialFaults(app: App, kind: AuthKind, given: Record<string, unknown> | undefined): ErrorDetail[] {
  const fields = CREDENTIAL_FIELDS[kind];
  if (fields.length === 0)
    return given === undefined
      ? []
      : [{ field: 'credentials', message: `must be left out: ${app.name} connects by OAuth` }];
  if (given === undefined) return [{ field: 'credentials', message: `is required: ${shapeOf(kind)}` }];
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  return [
    ...fields.flatMap(({ name }) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      const message = value === undefined ? 'is required' : textFault(value, 1, MAX_CREDENTIAL_LENGTH);
      return message === undefined ? [] : [{ field: `credentials.${name}`, message }];
    }),
    ...unknown.map((name) => ({ field: `credentials.${name}`, message: `is not used: ${shapeOf(kind)}` })),
  ];
}

function takesExactly(kind: AuthKind, given: Record<string, unknown>): boolean {
  const names = CREDENTIAL_FIELDS[kind].map(({ name }) => name);
  return names.length === Object.keys(given).length && names.every((name) => Object.hasOwn(given, name));
}

/** The credentials of a way, as JSON without their values. */
function shapeOf(kind: AuthKind): string {
  return `{ ${CREDENTIAL_FIELDS[kind].map(({ name }) => `"${name}": "…"`).join(', ')} }`;
}

function kindsOf({ auths }: App): string {
  return auths.map(({ kind }) => kind).join(', ');
}
