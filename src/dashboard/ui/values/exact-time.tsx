import { dateFormat, onHover } from './date-words.js';

const format = dateFormat({ year: true, clock: 'second' });

/** A time to the second in the user's time zone; the zone is shown on hover. */
export function ExactTime({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={onHover.format(date)}>
      {format.format(date)}
    </time>
  );
}
