import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { hasPlainHmac } from '../../src/features/triggers/app-events/signatures/plain-hmac.js';
import { isSignedAs, signatureSchemes } from '../../src/features/triggers/app-events/signatures/index.js';
import { type SignedPost } from '../../src/features/triggers/app-events/signatures/define-signature.js';
import { handshakes } from '../../src/features/triggers/app-events/handshakes/index.js';
import { type SignatureScheme } from '../../src/features/integrations/apps/app.js';
import { catalog } from '../../src/features/integrations/apps/index.js';
import { sandboxApps } from '../../src/features/integrations/apps/sandbox.js';
import { wrongSecret } from '../support/wrong-secret.js';

/** A post as a provider's documentation shows it, at the time that it is signed for. */
interface Example {
  headers: Record<string, string>;
  body: string;
  secret: string;
  seconds: number;
}

const BODY_OF_SLACK =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
  '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
  '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
  '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';

/**
 * The examples of GitHub, Slack and Standard Webhooks are published. The others publish the algorithm, Stripe also an
 * example without its secret.
 */
const EXAMPLES: Record<SignatureScheme, Example> = {
  github: {
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
    body: 'Hello, World!',
    secret: "It's a Secret to Everybody",
    seconds: 1_700_000_000,
  },
  slack: {
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: BODY_OF_SLACK,
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    seconds: 1_531_420_618,
  },
  stripe: {
    headers: {
      'stripe-signature':
        `t=1492774577,v1=${'ab'.repeat(32)},` +
        `v1=${createHmac('sha256', 'whsec_test').update('1492774577.{"id":"evt_1"}').digest('hex')},` +
        'v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39',
    },
    body: '{"id":"evt_1"}',
    secret: 'whsec_test',
    seconds: 1_492_774_577,
  },
  standard_webhooks: {
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1a,AAAA v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    seconds: 1_614_265_330,
  },
  calendly: {
    headers: {
      'calendly-webhook-signature': `t=1492774577,v1=${createHmac('sha256', 'calendly-key').update('1492774577.{"event":"invitee.created"}').digest('hex')}`,
    },
    body: '{"event":"invitee.created"}',
    secret: 'calendly-key',
    seconds: 1_492_774_577,
  },
  pagerduty: {
    headers: {
      'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${createHmac('sha256', 'pagerduty-key').update('{"event":{}}').digest('hex')}`,
    },
    body: '{"event":{}}',
    secret: 'pagerduty-key',
    seconds: 1_700_000_000,
  },
  figma: {
    headers: {},
    body: '{"event_type":"FILE_COMMENT","passcode":"secretpasscode"}',
    secret: 'secretpasscode',
    seconds: 1_700_000_000,
  },
};

function isSigned(scheme: SignatureScheme, change: Partial<Example> = {}, later = 0): boolean {
  const { headers, body, secret, seconds } = { ...EXAMPLES[scheme], ...change };
  const value: unknown = JSON.parse(/^\{/.test(body) ? body : 'null');
  const now = new Date((seconds + later) * 1_000);
  return isSignedAs({ scheme }, { headers, body: Buffer.from(body), value, secret, now });
}

describe('the lists', () => {
  it('of schemes and handshakes name every file of their folders', () => {
    const filesOf = (folder: string) =>
      readdirSync(new URL(`../../src/features/triggers/app-events/${folder}/`, import.meta.url))
        .map((file) => file.replace('.ts', '').replaceAll('-', '_'))
        .filter((file) => !/^(index|define_|digests|plain_hmac|timed_hmac)/.test(file))
        .sort();
    expect(Object.keys(signatureSchemes).sort()).toEqual(filesOf('signatures'));
    expect(Object.values(signatureSchemes).map(({ scheme }) => scheme)).toEqual(Object.keys(signatureSchemes));
    expect(Object.keys(handshakes).sort()).toEqual(filesOf('handshakes'));
    expect(Object.values(handshakes).map(({ name }) => name)).toEqual(Object.keys(handshakes));
  });

  it('have every scheme and handshake of the catalog and the sandbox', () => {
    const sources = [...catalog, ...sandboxApps('http://gateway.test')].flatMap(({ type, events, eventSource }) =>
      eventSource === null ? [] : [{ type, events, ...eventSource }],
    );
    expect(sources.length).toBeGreaterThan(15);
    for (const { type, events, signature, handshake } of sources) {
      expect([type, events.length > 0]).toEqual([type, true]);
      if (signature?.scheme !== undefined) expect(signatureSchemes).toHaveProperty(signature.scheme);
      if (handshake !== null) expect(handshakes).toHaveProperty(handshake);
    }
  });
});

describe.each(Object.keys(EXAMPLES) as SignatureScheme[])('%s', (scheme) => {
  const example = EXAMPLES[scheme];

  it('accepts the example of its documentation', () => {
    expect(isSigned(scheme)).toBe(true);
  });

  it('refuses another body, secret or signature, and a missing header', () => {
    // A passcode is part of the body and does not sign it.
    expect(isSigned(scheme, { body: `${example.body} ` })).toBe(scheme === 'figma');
    expect(isSigned(scheme, { secret: wrongSecret(example.secret) })).toBe(false);
    for (const [name, value] of Object.entries(example.headers)) {
      expect(isSigned(scheme, { headers: { ...example.headers, [name]: '' } })).toBe(false);
      expect(isSigned(scheme, { headers: { ...example.headers, [name]: value.slice(0, -3) } })).toBe(
        // Of Stripe's several the last is of a scheme that is not looked at.
        scheme === 'stripe',
      );
    }
  });

  it('never throws, for any headers', () => {
    const odd = [
      '',
      ',',
      '=',
      't=',
      't=1,t=2',
      'v1',
      'v1,',
      'v0=',
      'sha256=',
      'sha256=zz',
      '1e3',
      '-1',
      '9'.repeat(40),
      ' ',
    ];
    for (const value of odd) {
      for (const name of Object.keys(example.headers))
        expect(isSigned(scheme, { headers: { ...example.headers, [name]: value } })).toBe(false);
    }
  });
});

describe.each(['slack', 'stripe', 'standard_webhooks', 'calendly'] as const)('the time of %s', (scheme) => {
  it.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('%d seconds ago is recent enough: %s', (later, expected) => {
    expect(isSigned(scheme, {}, later)).toBe(expected);
  });

  it('is part of what is signed', () => {
    const moved = Object.fromEntries(
      Object.entries(EXAMPLES[scheme].headers).map(([name, value]) => [
        name,
        value.replace(String(EXAMPLES[scheme].seconds), String(EXAMPLES[scheme].seconds + 1)),
      ]),
    );
    expect(isSigned(scheme, { headers: moved })).toBe(false);
  });
});

describe('a plain HMAC', () => {
  const body = Buffer.from('{"id":820982911946154508}');
  const post = (headers: Record<string, string>): SignedPost => ({
    headers,
    body,
    value: null,
    secret: 'hush',
    now: new Date(),
  });
  const digest = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHmac(algorithm, 'hush').update(body).digest(encoding);

  it.each([
    ['X-Shopify-Hmac-Sha256', 'sha256', 'base64', ''],
    ['Typeform-Signature', 'sha256', 'base64', 'sha256='],
    ['X-Hub-Signature', 'sha1', 'hex', 'sha1='],
    ['X-Long', 'sha512', 'hex', ''],
  ] as const)('in %s is %s as %s behind "%s"', (header, algorithm, encoding, prefix) => {
    const taken = (value: string) =>
      hasPlainHmac({ header, algorithm, encoding, prefix }, post({ [header.toLowerCase()]: value }));
    const right = digest(algorithm, encoding);
    expect(taken(prefix + right)).toBe(true);
    for (const wrong of [
      '',
      prefix,
      `${prefix}${right} `,
      `${prefix}${right}, ${prefix}${right}`,
      `x${prefix}${right}`,
    ])
      expect(taken(wrong)).toBe(false);
    expect(taken(prefix + digest(algorithm === 'sha256' ? 'sha1' : 'sha256', encoding))).toBe(false);
    if (prefix !== '') expect(taken(right)).toBe(false);
  });
});
