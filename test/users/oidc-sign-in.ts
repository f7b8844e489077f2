import { type Browser } from '../support/browser/browser.js';
import { type TestServer } from '../support/server.js';

/** Takes a browser to the issuer and back. @returns the URL of the last redirect. */
export async function travelTo(server: TestServer, browser: Browser, path = ''): Promise<string> {
  const there = (await browser.visit(`${server.baseUrl}/auth/oidc/start${path}`)).headers.get('location')!;
  const back = await browser.leave(there);
  return (await browser.visit(back)).headers.get('location')!;
}

/** What the page for the choice of an account is given. */
export interface Offer {
  email: string;
  choices: { id: string; account: string; replaces?: string }[];
}

/** The accounts that a browser may choose from. */
export async function offerTo(server: TestServer, browser: Browser): Promise<Offer> {
  return (await browser.visit(`${server.baseUrl}/auth/oidc/choice`)).json() as Promise<Offer>;
}

/** Chooses an account in a browser. */
export function choose(server: TestServer, browser: Browser, id: string): Promise<Response> {
  return browser.visit(`${server.baseUrl}/auth/oidc/choice`, { json: { id } });
}

/** The name of the account that a browser is signed in to, and the user's address. */
export async function signedInAs(server: TestServer, browser: Browser): Promise<{ account: string; email: string }> {
  const query = '{ viewer { account { name } user { email } } }';
  const response = await browser.visit(`${server.baseUrl}/graphql`, { json: { query } });
  const { data } = (await response.json()) as any;
  return { account: data.viewer.account.name, email: data.viewer.user.email };
}
