import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import classes from './dock.module.css';
import { type FirstStep } from './steps.js';
import { useFirstSteps } from './use-first-steps.js';
import { IconCircle, IconCircleCheckFilled, IconX } from '../../ui/icons/icons.js';

/** The first steps beside the page that a step leads to: in the sidebar. The overview has them in full. */
export function FirstStepsDock() {
  const shown = useDocked();
  if (shown === undefined) return null;
  const { steps, needed, done, next, hide } = shown;
  return (
    <section className={classes.dock} aria-labelledby="docked-steps">
      <div className={classes.head}>
        <div>
          <h2 id="docked-steps">{next === undefined ? 'You have seen it all work' : 'First steps'}</h2>
          <p role="status">
            {done} of {needed} done
          </p>
        </div>
        <Hide onHide={hide} />
      </div>
      <div className={classes.progress} aria-hidden>
        <i style={{ width: `${(done / needed) * 100}%` }} />
      </div>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <DockedStep key={step.key} step={step} isNext={step === next} />
        ))}
      </ol>
    </section>
  );
}

/** The next step in one line above the page, which scrolls away with it: for screens without a sidebar. */
export function FirstStepsStrip() {
  const shown = useDocked();
  if (shown === undefined) return null;
  const { needed, done, next, hide } = shown;
  return (
    <section className={classes.strip} aria-label="First steps">
      <p role="status">
        {next === undefined ? (
          'You have seen it all work'
        ) : (
          <>
            Next: <StepLink step={next} />
          </>
        )}{' '}
        · {done} of {needed} done
      </p>
      <Hide onHide={hide} />
    </section>
  );
}

/** Undefined on the overview, and if there is nothing to show. */
function useDocked() {
  const { steps: all, hide } = useFirstSteps();
  const { pathname } = useLocation();
  if (all === undefined || pathname === '/') return undefined;
  const steps = all.filter(({ optional }) => !optional);
  const done = steps.filter((step) => step.done).length;
  return { steps, needed: steps.length, done, next: steps.find((step) => !step.done), hide };
}

function Hide({ onHide }: { onHide: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size={26} aria-label="Hide the first steps" onClick={onHide}>
      <IconX size={15} aria-hidden />
    </ActionIcon>
  );
}

function DockedStep({ step, isNext }: { step: FirstStep; isNext: boolean }) {
  const { title, text, done } = step;
  return (
    <li className={classes.step} data-done={done || undefined} aria-current={isNext ? 'step' : undefined}>
      {done ? <IconCircleCheckFilled size={15} aria-hidden /> : <IconCircle size={15} stroke={1.6} aria-hidden />}
      <span>
        {isNext ? <StepLink step={step} /> : title}
        <VisuallyHidden>{done ? ': done' : ''}</VisuallyHidden>
      </span>
      {isNext && <p className={classes.text}>{text}</p>}
    </li>
  );
}

/** To the page of a step; the list of workflows has the dialog for the first one. */
function StepLink({ step: { title, to } }: { step: FirstStep }) {
  return <Link to={to === 'new' ? '/workflows' : to}>{title}</Link>;
}
