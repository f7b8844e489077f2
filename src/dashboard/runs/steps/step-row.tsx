import { useId, useState } from 'react';
import { durationInWords } from '../../ui/values/duration.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { ACTION_KINDS } from '../action-kinds.js';
import { type RunInDetailFragment } from '../run.generated.js';
import { StepDetail } from './step-detail.js';
import classes from './step-timeline.module.css';
import { type RunStep, type Span, statusOf } from './timeline.js';
import { IconChevronRight } from '../../ui/icons/icons.js';

/** One step with status and time; it expands to its input and output. */
export function StepRow({ run, step, span, carriedOver, resumesAt, opensByItself }: StepRowProps) {
  const [chosen, choose] = useState<boolean>();
  const id = useId();
  // So that a step does not close when its wait ends.
  const [opened, setOpened] = useState(opensByItself);
  if (opensByItself && !opened) setOpened(true);
  const open = chosen ?? opened;
  const { label, icon: Icon } = ACTION_KINDS[step.kind];
  const status = statusOf(step);
  const waits = resumesAt !== null || status === 'WAITING';
  return (
    <li className={classes.step} data-status={status}>
      <h3>
        <button
          type="button"
          className={classes.row}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => choose(!open)}
        >
          <IconChevronRight size={15} aria-hidden className={classes.chevron} />
          <Icon size={17} stroke={1.7} aria-hidden className={classes.icon} />
          <span className={classes.names}>
            <span className={classes.name}>{step.name}</span>
            <span className={classes.kind}>
              {label}
              {step.attempt > 1 && `, attempt ${step.attempt}`}
            </span>
          </span>
          <span className={classes.bar} aria-hidden data-carried={carriedOver || undefined}>
            {!carriedOver && (
              <span
                data-waits={waits || undefined}
                style={{ left: `${span.from * 100}%`, width: `${span.length * 100}%` }}
              />
            )}
          </span>
          <span className={classes.took}>{carriedOver ? 'carried over' : durationInWords(span.milliseconds)}</span>
          <span className={classes.status}>
            <StatusBadge status={status} />
          </span>
        </button>
      </h3>
      <div id={id} hidden={!open} className={classes.detail}>
        {open && <StepDetail run={run} step={step} carriedOver={carriedOver} resumesAt={resumesAt} />}
      </div>
    </li>
  );
}

/** `resumesAt`: when a waiting step continues. */
export interface StepRowProps {
  run: RunInDetailFragment;
  step: RunStep;
  span: Span;
  carriedOver: boolean;
  resumesAt: string | null;
  opensByItself: boolean;
}
