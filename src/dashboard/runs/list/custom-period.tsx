import { TextInput } from '@mantine/core';
import { useUrlValues } from '../../ui/tables/use-url-value.js';
import classes from './run-list.module.css';

/** The two ends of a custom period, in the user's time zone. Either may stay open. */
export function CustomPeriod() {
  const { valueOf, set } = useUrlValues();
  const [from, to] = [valueOf('from'), valueOf('to')];
  const isReversed = from !== '' && to !== '' && Date.parse(to) < Date.parse(from);
  return (
    <div className={classes.ends}>
      <TextInput
        type="datetime-local"
        label="From"
        value={localMinute(from)}
        onChange={(event) => set({ from: utcMinute(event.currentTarget.value) })}
      />
      <TextInput
        type="datetime-local"
        label="To"
        value={localMinute(to)}
        onChange={(event) => set({ to: utcMinute(event.currentTarget.value) })}
        error={isReversed && 'Must not be before “From”.'}
      />
      <p className={classes.zone}>Times are in your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}.</p>
    </div>
  );
}

/** An ISO 8601 time as `<input type="datetime-local">` takes it. */
function localMinute(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** The same in reverse; empty for an incomplete time. */
function utcMinute(local: string): string {
  const time = Date.parse(local);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
}
