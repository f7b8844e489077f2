import { type ReactNode } from 'react';
import { CodeBlock } from '../../ui/values/code-block.js';
import { SecretOnce } from '../../ui/forms/secret-once.js';

/** A new key, visible only now, with a command that tries it; `children` are shown above the command. */
export function KeyOnce({ secret, onDone, children }: { secret: string; onDone: () => void; children?: ReactNode }) {
  const line = `curl ${location.origin}/v1/workflows \\\n  -H "Authorization: Bearer ${secret}"`;
  return (
    <SecretOnce secret={secret} what="API key" onDone={onDone}>
      {children}
      <div>
        Try it out in a terminal:
        <div style={{ marginTop: 6 }}>
          <CodeBlock code={line} label="curl line" wrap />
        </div>
      </div>
    </SecretOnce>
  );
}
