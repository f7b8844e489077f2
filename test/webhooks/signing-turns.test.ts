import { describe, expect, it } from '@jest/globals';
import { Secrets } from '../../src/platform/encryption/secrets.js';
import { OutboundResponse } from '../../src/platform/http/outbound/outbound-response.js';
import { LONG_BYTES } from '../../src/platform/admission/long-work.js';
import { sendDelivery } from '../../src/features/webhooks/sending/send-delivery.js';
import { newWebhookSecret, webhookContext } from '../../src/features/webhooks/webhook-secret.js';

const secrets = new Secrets([Buffer.alloc(32)]);

describe('signing a delivery', () => {
  it.each([
    ['a megabyte with five secrets waits for a turn', 1_048_576, 4, true],
    ['a short body with five does not', 10_000, 4, false],
  ])('%s', async (_, length, former, isLong) => {
    const pieces: { lane: string; bytes: number }[] = [];
    const sealed = () => secrets.seal(newWebhookSecret(), webhookContext('a', 'w'));
    const formerSecrets = Array.from({ length: former }, () => ({ secret: sealed(), until: new Date(1_000) }));
    const sent: { now: number; signatures: number }[] = [];
    let now = 0;
    const delivery = {
      target: { url: 'http://a.test/', secret: sealed(), formerSecrets },
      body: 'x'.repeat(length),
      accountId: 'a',
      webhookUuid: 'w',
      messageId: 'm',
      hops: 0,
    };
    const deps = {
      clock: { now: () => new Date(now) },
      secrets,
      longWork: {
        piece: async (lane: string, bytes: number) => {
          pieces.push({ lane, bytes });
          // Its turn comes after the former secrets have ended.
          now = 5_000;
        },
      },
      outbound: {
        request: async ({ headers }: { headers: Record<string, string> }) => {
          const signatures = headers['webhook-signature']!.split(' ').length;
          sent.push({ now: Number(headers['webhook-timestamp']), signatures });
          return new OutboundResponse('a.test', 204, {}, Buffer.alloc(0));
        },
      },
      timeoutMs: 1_000,
    };
    const outcome = await sendDelivery(delivery as never, deps as never, new AbortController().signal);
    expect(outcome.kind).toBe('succeeded');
    expect(pieces.map(({ lane, bytes }) => [lane, bytes > LONG_BYTES])).toEqual([['a', isLong]]);
    expect(sent).toEqual([{ now: 5, signatures: 1 }]);
  });
});
