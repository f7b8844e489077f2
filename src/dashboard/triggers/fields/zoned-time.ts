/** A time in a time zone: `Mon 23 Nov, 09:00`, with the year if it is not the current one. */
export function zonedTime(at: string, timeZone: string): string {
  const date = new Date(at);
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  };
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(date);
  } catch {
    // The service knows this zone, but the browser does not.
    return `${new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(date)} UTC`;
  }
}
