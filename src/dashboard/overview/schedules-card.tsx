import { IconCalendarOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useRunChanges } from '../runs/use-run-changes.js';
import { triggerInWords } from '../triggers/trigger-words.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { useSoon } from '../ui/use-soon.js';
import { Card } from './card.js';
import classes from './card.module.css';
import { NextSchedulesDocument } from './overview.generated.js';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { month: 'short', day: 'numeric' } as const;
const soonFormat = new Intl.DateTimeFormat('en', { weekday: 'short', ...DAY, ...CLOCK });
const zoneFormat = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });
const laterFormat = new Intl.DateTimeFormat('en', { year: 'numeric', ...DAY, ...CLOCK });

/** The next schedules, each in its own time zone, with their times in that of the user. Hidden in quiet mode while there are none. */
export function SchedulesCard({ quiet }: { quiet: boolean }) {
  const [{ data, error }, ask] = useQuery({ query: NextSchedulesDocument });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  // A schedule that fires creates a run and gets a new next time.
  const soon = useSoon(reload);
  useRunChanges(undefined, ({ previousStatus, run }) => {
    if (previousStatus === null && run.triggerType === 'SCHEDULE') soon();
  });
  const rows = data?.upcomingFirings.map(({ at, trigger }) => ({ id: trigger.id, at, trigger }));
  if (quiet && (rows === undefined || rows.length === 0)) return null;
  return (
    <Card
      title="Next schedules"
      area="schedules"
      rows={rows}
      size={3}
      error={error}
      onRetry={reload}
      none={{ icon: IconCalendarOff, text: 'No upcoming schedules.' }}
      more={rows?.length ? { to: '/triggers?type=schedule', label: 'All schedules' } : undefined}
    >
      {({ at, trigger }) => (
        <>
          <span className={classes.text}>
            <Link to={`/workflows/${trigger.workflow.id}/triggers`} className={classes.link}>
              {trigger.workflow.name}
            </Link>
            <span>{triggerInWords(trigger, () => undefined)}</span>
          </span>
          <span className={classes.aside}>
            <strong>
              <RelativeTime at={at} />
            </strong>
            <span>
              {onTheClock(new Date(at))} {zoneOf(new Date(at))}
            </span>
          </span>
        </>
      )}
    </Card>
  );
}

/** A time with the day of the week, or with the year if that is not the current one. */
function onTheClock(at: Date): string {
  return (at.getFullYear() === new Date().getFullYear() ? soonFormat : laterFormat).format(at);
}

/** The user's time zone, e.g. `UTC` or `GMT+14`: that of the schedule may be another. */
function zoneOf(at: Date): string {
  return zoneFormat.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
