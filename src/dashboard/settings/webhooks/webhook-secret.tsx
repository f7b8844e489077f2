import { CodeBlock } from '../../ui/values/code-block.js';
import { SecretOnce } from '../../ui/forms/secret-once.js';

const SNIPPET = `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

// rawBody: the bytes as received, before any parsing.
// Throws if the signature is wrong.
const event = webhook.verify(rawBody, request.headers);`;

/** A webhook's secret, visible only now, with code that verifies its events. */
export function WebhookSecret({
  secret,
  onDone,
  isNew = true,
}: {
  secret: string;
  onDone: () => void;
  isNew?: boolean;
}) {
  return (
    <SecretOnce secret={secret} what="signing secret" onDone={onDone}>
      {!isNew && <div>For 24 hours events are signed with the old secret too: replace it by then.</div>}
      <div>
        Each event is signed with it (Standard Webhooks). In Node, verify it like this; there are libraries for other
        languages too.
        <div style={{ marginTop: 6 }}>
          <CodeBlock code={SNIPPET} label="snippet" />
        </div>
      </div>
    </SecretOnce>
  );
}
