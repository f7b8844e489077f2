import { AppEventFields } from './app-event-fields.js';
import classes from '../trigger-form.module.css';
import { ScheduleFields } from './schedule-fields.js';
import { type TriggerForm } from '../use-trigger-form.js';
import { WebhookFields } from './webhook-fields.js';

/** The fields of the form's trigger type. */
export function TriggerFields({ form }: { form: TriggerForm }) {
  if (form.type === 'SCHEDULE') return <ScheduleFields form={form} />;
  if (form.type === 'WEBHOOK') return <WebhookFields form={form} />;
  if (form.type === 'APP_EVENT') return <AppEventFields form={form} />;
  return (
    <p className={classes.groupText}>
      Nothing to configure. You fire it here, with an input of your choice, or by <code>runWorkflow</code> and{' '}
      <code>POST /v1/workflows/…/runs</code>.
    </p>
  );
}
