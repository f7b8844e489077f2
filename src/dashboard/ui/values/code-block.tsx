import { CopyButton } from './copy-button.js';
import classes from './code-block.module.css';

/** A label within a sentence: `Signing secret` becomes `signing secret`, `URL of events` stays. */
function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** Code with a copy button; `label` names it for screen readers. */
export function CodeBlock({ code, label = 'Code', wrap = false }: { code: string; label?: string; wrap?: boolean }) {
  return (
    <div className={classes.block}>
      <pre tabIndex={0} role="region" aria-label={label} data-wrap={wrap || undefined}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={`Copy ${inSentence(label)}`} />
      </div>
    </div>
  );
}
