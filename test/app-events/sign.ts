import { createHmac } from 'node:crypto';
import { SHARED_SECRET } from './source-apps.js';

const hex = (secret: string | Buffer, text: string, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest('hex');

/** The headers of an event of each signed app of `sourceApps`, made as its provider's documentation says. */
export const signed = {
  shop: (secret: string, body: string, event = 'thing.made') => ({
    'x-shop-topic': event,
    'x-shop-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
  hub: (secret: string, body: string, event = 'thing.made') => ({
    'x-event-key': event,
    'x-hub-signature': `sha1=${hex(secret, body, 'sha1')}`,
  }),
  github_like: (secret: string, body: string, event = 'thing.made') => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${hex(secret, body)}`,
  }),
  slack_like: (seconds: number, body: string) => ({
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${hex(SHARED_SECRET, `v0:${seconds}:${body}`)}`,
  }),
  stripe_like: (seconds: number, body: string) => ({
    'stripe-signature': `t=${seconds},v1=${hex(SHARED_SECRET, `${seconds}.${body}`)}`,
  }),
  standard: (secret: string, seconds: number, body: string, id = 'msg_1') => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
  },
  meta_like: (secret: string, body: string) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` }),
};
