import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { CreateWorkflowDialog } from '../../workflows/create-workflow.js';
import { ExampleButton } from '../../workflows/templates/example-button.js';
import classes from './first-steps.module.css';
import { type FirstStep } from './steps.js';
import { IconCircle, IconCircleCheckFilled, IconX } from '../../ui/icons/icons.js';

/** The introductory steps, with a tick for each completed one. */
export function FirstSteps({ steps, onHide }: { steps: readonly FirstStep[]; onHide: () => void }) {
  const [creating, dialog] = useDisclosure();
  const needed = steps.filter(({ optional }) => !optional);
  const done = needed.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <section className={classes.card} aria-labelledby="first-steps">
      <div className={classes.head}>
        <div>
          <h2 id="first-steps">{done === needed.length ? 'You have seen it all work' : 'First steps'}</h2>
          <p role="status">
            {done} of {needed.length} done
          </p>
        </div>
        <div className={classes.buttons}>
          {done < needed.length && <ExampleButton />}
          <ActionIcon variant="subtle" color="gray" aria-label="Hide the first steps" onClick={onHide}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      </div>
      <div className={classes.progress} aria-hidden>
        <i style={{ width: `${(done / needed.length) * 100}%` }} />
      </div>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === next} onNew={dialog.open} />
        ))}
      </ol>
      <CreateWorkflowDialog opened={creating} onClose={dialog.close} />
    </section>
  );
}

function Step({ step, isNext, onNew }: { step: FirstStep; isNext: boolean; onNew: () => void }) {
  const { title, text, action, to, done, optional } = step;
  const variant = isNext ? 'filled' : 'default';
  return (
    <li className={classes.step} data-done={done || undefined} aria-current={isNext ? 'step' : undefined}>
      {done ? (
        <IconCircleCheckFilled size={20} className={classes.check} aria-hidden />
      ) : (
        <IconCircle size={20} stroke={1.6} className={classes.check} aria-hidden />
      )}
      <div className={classes.text}>
        <h3>
          {title}
          {optional && <span> (optional)</span>}
          <VisuallyHidden>{done ? ': done' : ''}</VisuallyHidden>
        </h3>
        {!done && <p>{text}</p>}
      </div>
      {!done && to === 'new' && (
        <Button variant={variant} onClick={onNew} disabled={step.key !== 'workflow'}>
          {action}
        </Button>
      )}
      {!done && to !== 'new' && (
        <Button variant={variant} component={Link} to={to}>
          {action}
        </Button>
      )}
    </li>
  );
}
