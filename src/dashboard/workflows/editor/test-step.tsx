import { IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type RunStep } from '../../runs/timeline.js';
import { JsonView } from '../../ui/json-view.js';
import { Notice } from '../../ui/notice.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { kindOf } from './kinds/index.js';
import classes from './test-panel.module.css';

/** One step of a test: what it was given, what came of it; one that failed is open. */
export function TestStep({ step }: { step: RunStep }) {
  const [chosen, choose] = useState<boolean>();
  const id = useId();
  const { name, kind, status, input, output, error, attempt } = step;
  const open = chosen ?? status === 'FAILED';
  const Icon = kindOf(kind).icon;
  return (
    <li className={classes.step}>
      <h3>
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => choose(!open)}>
          <IconChevronRight size={15} aria-hidden className={classes.chevron} />
          <Icon size={16} stroke={1.7} aria-hidden />
          <span className={classes.name}>{name}</span>
          <span className={classes.time}>{lasted(step)}</span>
          <StatusBadge status={status} />
        </button>
      </h3>
      <div id={id} hidden={!open} className={classes.detail}>
        {open && (
          <>
            {error !== null && (
              <Notice tone="bad" title={error.code}>
                {error.message} {attempt > 1 && `Tried ${attempt} times.`}
              </Notice>
            )}
            {input !== null && <Part label="Input" of={name} value={input} />}
            {output !== null && <Part label="Output" of={name} value={output} />}
          </>
        )}
      </div>
    </li>
  );
}

function Part({ label, of, value }: { label: string; of: string; value: unknown }) {
  return (
    <div>
      <p className={classes.label}>{label}</p>
      <JsonView value={value} label={`${label} of ${of}`} />
    </div>
  );
}

function lasted({ startedAt, finishedAt }: RunStep): string {
  if (startedAt === null || finishedAt === null) return '';
  const milliseconds = new Date(finishedAt).getTime() - new Date(startedAt).getTime();
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}
