import { CopyButton } from './copy-button.js';
import classes from './code-block.module.css';

/** Code with a copy button; `label` names it for screen readers. */
export function CodeBlock({ code, label = 'Code', wrap = false }: { code: string; label?: string; wrap?: boolean }) {
  return (
    <div className={classes.block}>
      <pre tabIndex={0} role="region" aria-label={label} data-wrap={wrap || undefined}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}
