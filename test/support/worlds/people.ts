import { AccountService } from '../../../src/features/accounts/account.service.js';
import { insertUser } from '../../../src/features/users/new-user.js';
import { newUuid } from '../../../src/platform/ids/ids.js';
import { Client } from '../http/client.js';
import { QUICK_HASH } from '../quick-hash.js';
import { noteSecret } from '../database/secrets.js';
import { type TestServer } from '../server.js';

export const PASSWORD = 'correct horse battery';

/** The user that signs in: by default a new address, of the account `default`. */
export interface Who {
  email?: string;
  name?: string;
  account?: string;
}

/** A signed-in user: a client that sends the cookie, from the service's own origin. */
export interface SignedIn {
  client: Client;
  email: string;
  /** For a `cookie` header. */
  cookie: string;
}

let count = 0;

/** Creates a user with `PASSWORD` if the address is new. @returns the address. */
export async function makeUser(server: TestServer, { email, name = 'Ada', account = 'default' }: Who = {}) {
  const address = email ?? `user${(count += 1)}@people.example`;
  const known = await server.db.query(`SELECT 1 AS one FROM users WHERE email = $1`, [address]);
  if (known.length > 0) return address;
  const passwordHash = await QUICK_HASH.hash(PASSWORD);
  const accountId = await new AccountService(server.db, server.clock).findOrCreate(server.db, account);
  const user = { accountId, email: address, emailVerified: true, name, proof: { passwordHash } };
  await insertUser(server.db, user, server.clock.now());
  return address;
}

/** Adds users who never sign in, in the order of their addresses in the list. */
export async function addUsers(server: TestServer, accountId: string, emails: readonly string[]): Promise<void> {
  const now = server.clock.now();
  await server.db.query(
    `INSERT INTO users (id, account_id, email, name, created_at, updated_at)
     SELECT p.id, $1, p.email, 'Person', $2, $2 FROM unnest($3::uuid[], $4::text[]) p (id, email)`,
    [accountId, now, emails.map(() => newUuid(now)), emails],
  );
}

/** Somebody with a session, as a sign-in by OIDC makes it. */
export async function signedIn(server: TestServer, who: Who = {}): Promise<SignedIn> {
  const email = await makeUser(server, who);
  const [user] = await server.db.query<{ id: string }>(`SELECT id FROM users WHERE email = $1`, [email]);
  const cookie = await server.session(user!.id);
  return { client: atHome(server, cookie), email, cookie };
}

/** Signs somebody in over HTTP, as the dashboard does: the cookie holds what remembers the browser, too. */
export async function signedInByPassword(server: TestServer, who: Who = {}): Promise<SignedIn> {
  const email = await makeUser(server, who);
  const body = { email, password: PASSWORD };
  const answer = await atHome(server).send('POST', '/auth/sign-in/email', { body });
  if (answer.status !== 200) throw new Error(`The sign-in was answered ${answer.status}.`);
  const cookie = cookieOf(answer.headers);
  return { client: atHome(server, cookie), email, cookie };
}

/** A page of the service: its requests come from the service's own origin. */
export function atHome({ baseUrl }: { baseUrl: string }, cookie?: string): Client {
  return new Client(baseUrl, undefined, { origin: baseUrl, ...(cookie === undefined ? {} : { cookie }) });
}

/** The token in the last invitation mailed to an address. */
export async function mailedInvitation(server: TestServer, email: string): Promise<string> {
  const [mail] = await server.db.query<{ text: string }>(
    `SELECT text FROM mails WHERE recipients = ARRAY[$1] AND text LIKE '%/invitations/%' ORDER BY id DESC LIMIT 1`,
    [email],
  );
  return /\/invitations\/([\w-]{43})/.exec(mail!.text)![1]!;
}

/** The cookies that a response sets, for a `cookie` header. */
export function cookieOf(headers: Headers): string {
  const pairs = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]!);
  for (const pair of pairs) noteSecret(decodeURIComponent(pair.slice(pair.indexOf('=') + 1)).split('.', 1)[0]!);
  return pairs.filter((pair) => !pair.endsWith('=')).join('; ');
}
