import fc, { type Arbitrary } from 'fast-check';
import { settings } from './runs.js';
import { json, text } from './values.js';
import { buildDashboard } from '../dashboard/support/build.js';
import { FuzzWorld } from './world.js';

/**
 * A request beside `/v1` and `/graphql`. `<hook>`, `<events>`, `<ticket>`, `<state>`, `<sandbox>` and the kinds of waits in it
 * are of things that are there.
 */
interface DoorRequest {
  method: string;
  path: string;
  body?: string;
  headers: Record<string, string>;
}

const code = (value: unknown): string => encodeURIComponent(String(value).slice(0, 500).toWellFormed());
const segment = text.map((value) => code(value).replace(/^\.{0,2}$/, '-'));
const token = fc.oneof(segment, fc.constantFrom('x'.repeat(43), '%', '%ff', '%00'), fc.stringMatching(/^[\w-]{43}$/));
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('state', 'code', 'error', 'iss', 'client_id', 'redirect_uri', 'scope', 'v', 'validationToken'),
        text,
      ),
      fc.oneof(fc.constantFrom('<state>', 'sandbox', '<sandbox>', 'access_denied'), text),
    ),
    { maxLength: 6 },
  )
  .map((pairs) =>
    pairs.map(([name, value]) => `${code(name)}=${value.startsWith('<') ? value : code(value)}`).join('&'),
  );
const form = fc
  .dictionary(
    fc.constantFrom(
      'grant_type',
      'code',
      'code_verifier',
      'redirect_uri',
      'refresh_token',
      'token',
      'client_id',
      'state',
      'decision',
      'comment',
      'account',
      'lifetime',
      '__proto__',
      'response_type',
      'code_challenge',
      'code_challenge_method',
      'scope',
    ),
    fc.oneof(
      fc.constantFrom(
        'authorization_code',
        'refresh_token',
        'sandbox',
        'grant',
        'deny',
        'never',
        'approved',
        'denied',
        'code',
        'S256',
        '<sandbox>',
        '<state>',
      ),
      text,
    ),
  )
  .map((fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${value.startsWith('<') ? value : code(value)}`)
      .join('&'),
  );
/** As the application of `<events>` posts them. */
const event = fc.record(
  {
    type: fc.constantFrom('url_verification', 'event_callback'),
    challenge: fc.oneof(text, json),
    event: fc.record({ type: fc.oneof(fc.constant('message'), text) }),
    event_id: fc.oneof(text, json),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  event.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value)),
  text.map((value) => value.toWellFormed()),
  form,
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'GET', 'POST') },
);
const types = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=x',
);
const headers = fc.record(
  {
    'content-type': types,
    'x-signature-256': fc.constantFrom('sha256=00', 'sha256=', 'x', `sha256=${'0'.repeat(64)}`),
    'workflow-hops': fc.constantFrom('1', '99', '-1', 'x', '1e9'),
    cookie: fc.constantFrom('connect=x', `connect=${'a'.repeat(43)}`, ';;=;'),
    authorization: fc.constantFrom('Bearer x', 'Basic eDp5', 'Bearer sandbox_valid_key'),
    origin: fc.constantFrom('https://evil.example', 'null'),
  },
  { requiredKeys: [] },
);

function requests(usual: string, path: Arbitrary<string>, hasBody: boolean): Arbitrary<DoorRequest> {
  return fc.tuple(method, path, query, body, headers).map(([other, address, search, sent, given]) => {
    const asked = other === '' ? usual : other;
    const isEmpty = asked === 'GET' || asked === 'HEAD' || !hasBody;
    return { method: asked, path: `${address}?${search}`, headers: given, ...(isEmpty ? {} : { body: sent }) };
  });
}

const at = (path: string, known?: string): Arbitrary<string> =>
  token.chain((value) => fc.constantFrom(...(known ? [known, value] : [value]))).map((value) => `${path}${value}`);

/** A run keeps what a hook is sent, so what is secret elsewhere must not be sent there. */
const withoutSecrets = ({ path, body: sent, ...request }: DoorRequest): DoorRequest => {
  const plain = (part: string) => part.replaceAll(/<(?:state|sandbox)>/g, 'any');
  return { ...request, path: plain(path), ...(sent === undefined ? {} : { body: plain(sent) }) };
};

/** Doors whose errors are `{ code, message }`. */
const JSON_DOORS: Record<string, Arbitrary<DoorRequest>> = {
  '/hooks/:token': requests('POST', at('/hooks/', '<hook>'), true).map(withoutSecrets),
  '/events/:token': requests('POST', at('/events/', '<events>'), true),
  'GET /events/:token': requests('GET', at('/events/', '<events>'), false),
  '/callbacks/:token': requests('POST', at('/callbacks/', '<callback>'), true).map(withoutSecrets),
  '/v1/…': requests('GET', at('/v1/'), true),
};
/** Doors whose errors are pages, or those of OAuth 2. */
const OTHER_DOORS: Record<string, Arbitrary<DoorRequest>> = {
  '/oauth/callback/:type': requests('GET', fc.oneof(at('/oauth/callback/', 'sandbox_oauth')), false),
  'GET /connect/:ticket': requests('GET', at('/connect/', '<ticket>'), false),
  'POST /connect/:ticket': requests('POST', at('/connect/', '<ticket>'), true),
  'GET /connect/waits/:token': requests('GET', at('/connect/waits/', '<connection>'), false),
  'POST /connect/waits/:token': requests('POST', at('/connect/waits/', '<connection>'), true),
  'GET /approvals/:token': requests('GET', at('/approvals/', '<approval>'), false),
  'POST /approvals/:token': requests('POST', at('/approvals/', '<approval>'), true).map(withoutSecrets),
  '/sandbox/oauth/authorize': requests('POST', fc.constant('/sandbox/oauth/authorize'), true),
  'GET /sandbox/oauth/authorize': requests('GET', fc.constant('/sandbox/oauth/authorize'), false),
  '/sandbox/oauth/token': requests('POST', fc.constant('/sandbox/oauth/token'), true),
  '/sandbox/oauth/revoke': requests('POST', fc.constant('/sandbox/oauth/revoke'), true),
  '/sandbox/api/contacts': requests('POST', fc.constant('/sandbox/api/contacts'), true),
  '/sandbox/:anything': requests('GET', at('/sandbox/', 'me'), false),
  'health, documents and pages': requests(
    'GET',
    fc.constantFrom('/livez', '/readyz', '/metrics', '/openapi.json', '/docs', '/pages/x', '/'),
    true,
  ),
  '/sandbox/events': requests('POST', fc.constant('/sandbox/events'), true),
  '/:anything': requests('GET', at('/'), true),
};

/**
 * The responses that may change the database. The form of a wait keeps one session for all its attempts, also when the
 * first one is refused.
 */
const CHANGES =
  /^(\/(hooks|events|callbacks)\/.*: 202|\/approvals\/.*: 200|\/connect\/.*: 303|\/connect\/waits\/.*: (400|422)|\/oauth\/callback\/.*: (200|303|400))$/;

/** Every door beside REST and GraphQL with random requests: no internal error, and no change where it is refused. */
export function describeDoorFuzz(isLong: boolean): void {
  describe('random requests', () => {
    let world: FuzzWorld;

    beforeAll(async () => {
      // `/` is a page of it.
      [world] = await Promise.all([FuzzWorld.open(), buildDashboard()]);
    });
    afterAll(() => world.close());

    it.each(Object.keys(JSON_DOORS))('to %s are answered, or refused with code and message', async (door) => {
      const holds = fc.asyncProperty(JSON_DOORS[door]!, async (request) => {
        const { status, body: answered, headers: given } = await send(world, request);
        if (status >= 400 && request.method !== 'HEAD') {
          expect(answered).toEqual({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
        }
        expect(given.has('x-request-id')).toBe(true);
      });
      await fc.assert(holds, settings(isLong));
    });

    it.each(Object.keys(OTHER_DOORS))('to %s are answered or refused', async (door) => {
      const holds = fc.asyncProperty(OTHER_DOORS[door]!, async (request) => {
        expect(await send(world, request)).toMatchObject({ status: expect.any(Number) });
      });
      await fc.assert(holds, settings(isLong));
    });
  });
}

async function send(world: FuzzWorld, { method: verb, path, body: sent, headers: given }: DoorRequest) {
  await world.prepare();
  const known = await world.addresses();
  const fill = (value: string): string => value.replaceAll(/<(\w+)>/g, (_, name: string) => known[name] ?? '');
  const before = await world.fingerprint();
  const answer = await world.anybody.send(verb, fill(path), {
    headers: given,
    ...(sent === undefined ? {} : { body: fill(sent) }),
  });
  expect(answer.status).toBeLessThan(500);
  const outcome = `${path.split('?', 1)[0]!}: ${answer.status}`;
  if (!CHANGES.test(outcome)) expect([outcome, await world.fingerprint()]).toEqual([outcome, before]);
  return answer;
}
