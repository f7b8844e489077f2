import { Radio, Stack, TextInput } from '@mantine/core';
import { CronPreview } from './cron-preview.js';
import classes from '../trigger-form.module.css';
import { TimeZoneSelect } from './time-zone-select.js';
import { useCronPreview } from './use-cron-preview.js';
import { type TriggerForm } from '../use-trigger-form.js';

const PRESETS = [
  { cron: '*/15 * * * *', label: 'Every 15 min' },
  { cron: '0 * * * *', label: 'Hourly' },
  { cron: '0 9 * * *', label: 'Daily at 9' },
  { cron: '0 9 * * 1-5', label: 'Weekdays at 9' },
  { cron: '0 9 * * 1', label: 'Mondays at 9' },
  { cron: '0 9 1 * *', label: 'Monthly' },
];

/** The fields of a schedule: expression with a live description, time zone, and catch-up. */
export function ScheduleFields({ form }: { form: TriggerForm }) {
  const { values, set, field, errorOf } = form;
  const cron = values['config.cron'];
  const timezone = values['config.timezone'];
  const { preview, timezone: previewed, refusal } = useCronPreview(cron, timezone);
  return (
    <>
      <Stack gap={8}>
        <TextInput
          {...field('config.cron')}
          error={errorOf('config.cron') ?? refusal}
          label="Cron expression"
          description="Five fields: minute, hour, day of month, month, weekday."
          classNames={{ input: classes.code }}
          spellCheck={false}
          autoComplete="off"
          required
        />
        <div role="group" aria-label="Common schedules" className={classes.presets}>
          {PRESETS.map((preset) => (
            <button
              key={preset.cron}
              type="button"
              aria-pressed={preset.cron === cron.trim()}
              onClick={() => set('config.cron', preset.cron)}
            >
              {preset.label}
            </button>
          ))}
        </div>
      </Stack>
      <TimeZoneSelect
        value={timezone}
        onChange={(zone) => set('config.timezone', zone)}
        error={errorOf('config.timezone')}
      />
      <CronPreview preview={preview} timezone={previewed} refused={refusal !== undefined} />
      <Radio.Group
        label="If the service was not running at a time"
        value={values['config.catch_up']}
        onChange={(value) => set('config.catch_up', value)}
        error={errorOf('config.catch_up')}
      >
        <Stack gap={6} mt={6}>
          <Radio value="none" label="Skip missed runs" description="Missed runs are recorded as one skipped run." />
          <Radio
            value="last"
            label="Run once to catch up"
            description="The latest missed time fires when the service is back; earlier ones are skipped."
          />
        </Stack>
      </Radio.Group>
    </>
  );
}
