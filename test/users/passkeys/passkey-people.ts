import { type Client } from '../../support/http/client.js';
import { type TestServer } from '../../support/server.js';
import {
  atHome,
  cookieOf,
  PASSWORD,
  type SignedIn,
  signedInByPassword,
  type Who,
} from '../../support/worlds/people.js';
import { SoftPasskey, type Twist } from './soft-passkey.js';

/** A user with a passkey. */
export interface PasskeyPerson extends SignedIn {
  passkey: SoftPasskey;
}

/** The options for a new passkey of the signed-in user. */
export async function startPasskey(client: Client, password = PASSWORD): Promise<any> {
  return (await client.send('POST', '/auth/passkeys/start', { body: { password } })).body;
}

/** A signed-in user who has added a passkey. */
export async function withPasskey(server: TestServer, who: Who = {}): Promise<PasskeyPerson> {
  const person = await signedInByPassword(server, who);
  const passkey = new SoftPasskey(server.baseUrl);
  const response = passkey.create(await startPasskey(person.client));
  const { status } = await person.client.send('POST', '/auth/passkeys', { body: { name: 'Laptop', response } });
  if (status !== 200) throw new Error(`The passkey was refused with ${status}.`);
  return { ...person, passkey };
}

/** The options for a sign-in. */
export async function startSignIn(server: TestServer): Promise<any> {
  return (await atHome(server).send('POST', '/auth/sign-in/passkey/start', { body: {} })).body;
}

/** Sends a signed response. @returns the status, the body and a client with the cookies. */
export async function finishSignIn(server: TestServer, response: unknown) {
  const answer = await atHome(server).send('POST', '/auth/sign-in/passkey', { body: { response } });
  return { status: answer.status, body: answer.body, client: atHome(server, cookieOf(answer.headers)) };
}

/** Signs in with a passkey. */
export async function signInWith(server: TestServer, passkey: SoftPasskey, twist: Twist = {}) {
  return finishSignIn(server, passkey.get(await startSignIn(server), twist));
}
