import { Select, TextInput } from '@mantine/core';
import classes from './api-keys.module.css';

/** The expiry of a key: after a number of days, on a day (in the format of `<input type="date">`), or never. */
export interface Expiry {
  choice: 'never' | '30' | '90' | '365' | 'date';
  date: string;
}

/** The default choice. */
export const NEVER: Expiry = { choice: 'never', date: '' };

const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'After a day…' },
];

/** The chosen time as ISO 8601; null for never. A day means its end, in the user's time zone. */
export function endOf({ choice, date }: Expiry, now: number): { at: string | null; fault?: string } {
  if (choice === 'never') return { at: null };
  if (choice !== 'date') return { at: new Date(now + Number(choice) * 86_400_000).toISOString() };
  const end = new Date(`${date}T23:59:59`);
  if (Number.isNaN(end.getTime())) return { at: null, fault: 'Choose a day.' };
  return end.getTime() > now ? { at: end.toISOString() } : { at: null, fault: 'Choose today or a later day.' };
}

/** Offers the usual expiries, and any day. */
export function ExpirySelect({ value, onChange, error }: ExpirySelectProps) {
  return (
    <div className={classes.expiry}>
      <Select
        label="Expires"
        data={CHOICES}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice: (choice ?? 'never') as Expiry['choice'] })}
      />
      {value.choice === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          value={value.date}
          onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
          error={error}
        />
      )}
    </div>
  );
}

/** `error` is shown below the field of the day. */
export interface ExpirySelectProps {
  value: Expiry;
  onChange: (value: Expiry) => void;
  error: string | undefined;
}
