const format = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const zoned = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });

/** A time to the second in the user's time zone; the zone is shown on hover. */
export function ExactTime({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={zoned.format(date)}>
      {format.format(date)}
    </time>
  );
}
