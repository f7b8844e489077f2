import { CopyButton } from './copy-button.js';
import classes from './code-block.module.css';

/** A label within a sentence: `Signing secret` becomes `signing secret`, `URL of events` stays. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Code with a copy button; `label` names it for screen readers. */
export function CodeBlock({ code, copied = code, label = 'Code', wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <pre tabIndex={0} role="region" aria-label={label} data-wrap={wrap || undefined}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={copied} label={`Copy ${inSentence(label)}`} />
      </div>
    </div>
  );
}

/** `copied` is the text to copy, where the page masks a part of it. */
interface CodeBlockProps {
  code: string;
  copied?: string;
  label?: string;
  wrap?: boolean;
}
