import { type Access, type Caller } from '../../src/platform/context.js';
import { isAllowed } from '../../src/platform/graphql/access.js';

const any = { accountId: '', expiresAt: new Date(0), sessionId: '' };
/** The kinds of caller, as named in documents. A read-write key has every permission of a read-only key. */
const CALLERS: readonly (readonly [string, Caller])[] = [
  ['any key', { ...any, kind: 'key', keyId: '', scope: 'read-only' }],
  ['read-write key', { ...any, kind: 'key', keyId: '', scope: 'read-write' }],
  ['connect session', { ...any, kind: 'connect_session', integrationId: null }],
  ['signed-in person', { ...any, kind: 'person', userId: '' }],
];

/** The callers that have any of these permissions. */
export function whoHas(...accesses: readonly Access[]): string {
  const names = CALLERS.filter(([, caller]) => accesses.some((access) => isAllowed(caller, access))).map(
    ([name]) => name,
  );
  return names.filter((name) => name !== 'read-write key' || !names.includes('any key')).join(', ');
}
