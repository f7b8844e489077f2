import { type Ways } from './snippet.js';

/** A receiver that accepts only signed events. */
export function verifyWebhook(): Ways {
  return [
    {
      way: 'standardwebhooks',
      code: `// npm install express standardwebhooks
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_..., shown when the webhook was created

express()
  .post('/hooks', express.raw({ type: '*/*' }), (request, response) => {
    let event;
    try {
      event = webhook.verify(request.body, request.headers);
    } catch {
      return response.status(400).end();
    }
    console.log(event.type, event.data);
    response.status(204).end();
  })
  .listen(3000);`,
    },
    {
      way: 'node:crypto',
      code: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: the raw bytes; headers: lower-case names; secret: whsec_... */
export function isGenuine(body, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false; // too old: it may be a replay
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
    },
  ];
}
