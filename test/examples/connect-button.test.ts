import { readdir, readFile } from 'node:fs/promises';
import { ExampleWorld } from './example-world.js';

interface Session {
  gateway: string;
  type: string;
  token: string;
}
interface Flow {
  redirect_url: string;
  integration_id: string;
  after?: string;
}
interface ConnectModule {
  startFlow: (session: Session) => Promise<Flow>;
  flowEnd: (
    session: Session,
    flow: Flow,
    options: { signal: AbortSignal; onFailures?: (failures: number) => void },
  ) => Promise<Record<string, any>>;
}

const FOLDER = new URL('../../examples/connect-button/', import.meta.url);
// Plain JavaScript: the path in a variable keeps the compiler from looking for its types.
const file = '../../examples/connect-button/connect.js';
const { startFlow, flowEnd } = (await import(file)) as ConnectModule;

/** What the page does, without a page: its backend, and the module that it waits with. */
describe("the connect button's backend and waiting", () => {
  let world: ExampleWorld;

  beforeAll(async () => {
    world = await ExampleWorld.open('connect-button');
  });
  afterEach(() => world.line.restore());
  afterAll(() => world.close());

  /** A browser's cookie, as the backend made it. */
  async function newUser(): Promise<string> {
    const answer = await fetch(world.url);
    return answer.headers.getSetCookie()[0]!.split(';')[0]!;
  }
  async function ours<T>(method: string, path: string, cookie: string): Promise<T> {
    const answer = await fetch(world.url + path, { method, headers: { cookie } });
    expect(answer.status).toBe(200);
    return answer.json() as Promise<T>;
  }
  const newSession = (cookie: string) => ours<Session>('POST', '/session', cookie);
  const connection = (cookie: string) => ours<Record<string, any> | null>('GET', '/connection', cookie);
  const never = new AbortController().signal;

  async function decide(redirectUrl: string, decision: string): Promise<void> {
    const consent = new URL(redirectUrl);
    const form = new URLSearchParams(consent.search);
    form.set('decision', decision);
    const decided = await fetch(consent.origin + consent.pathname, { method: 'POST', body: form, redirect: 'manual' });
    expect((await fetch(decided.headers.get('location')!)).status).toBe(200);
  }

  it('hear of the grant, and the backend finds the connection by its own user', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const session = await newSession(user);
    const flow = await startFlow(session);
    const end = flowEnd(session, flow, { signal: never });
    expect(await connection(user)).toBeNull();
    await decide(flow.redirect_url, 'grant');
    expect(await end).toMatchObject({ status: 'connected', account: { name: expect.any(String) } });
    expect(await connection(user)).toMatchObject({ id: flow.integration_id, status: 'connected' });
    expect(await connection(other)).toBeNull();
  });

  it('hear of the denial', async () => {
    const session = await newSession(await newUser());
    const flow = await startFlow(session);
    const end = flowEnd(session, flow, { signal: never });
    await decide(flow.redirect_url, 'deny');
    expect(await end).toMatchObject({ status: 'disconnected', status_reason: 'access_denied' });
  });

  it('hear of the grant after a lost connection', async () => {
    const session = await newSession(await newUser());
    const flow = await startFlow(session);
    const lost = Promise.withResolvers<void>();
    const onFailures = (failures: number) => failures > 0 && lost.resolve();
    const end = flowEnd(session, flow, { signal: never, onFailures });
    world.line.cut();
    await lost.promise;
    await decide(flow.redirect_url, 'grant');
    world.line.restore();
    expect(await end).toMatchObject({ status: 'connected' });
  });

  it('stop at a session that is over, with 401', async () => {
    const session = await newSession(await newUser());
    const flow = await startFlow(session);
    await world.gateway.advance(901_000);
    const end = flowEnd(session, flow, { signal: never });
    await expect(end).rejects.toMatchObject({ status: 401 });
  });

  it('stop when told to', async () => {
    const session = await newSession(await newUser());
    const flow = await startFlow(session);
    const ending = new AbortController();
    const end = flowEnd(session, flow, { signal: ending.signal });
    ending.abort();
    await expect(end).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('give the browser the token of a session and never the key', async () => {
    const user = await newUser();
    const session = await newSession(user);
    expect(session).toEqual({
      gateway: expect.any(String),
      type: 'sandbox_oauth',
      token: expect.stringMatching(/^wfs_/),
    });
    for (const path of ['/', '/page.js', '/connect.js', '/style.css', '/connection']) {
      const answer = await fetch(world.url + path, { headers: { cookie: user } });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await answer.text()).not.toContain(world.apiKey);
    }
    expect((await fetch(`${world.url}/server.mjs`)).status).toBe(404);
  });

  it('are as short as they say', async () => {
    const lines = async (name: string) => (await readFile(new URL(name, FOLDER), 'utf8')).trimEnd().split('\n').length;
    expect(await lines('server.mjs')).toBeLessThanOrEqual(60);
    expect((await readdir(FOLDER)).sort()).toEqual([
      'README.md',
      'connect.js',
      'index.html',
      'page.js',
      'server.mjs',
      'style.css',
    ]);
  });
});
