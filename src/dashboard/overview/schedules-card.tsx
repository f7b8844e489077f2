import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useRunChanges } from '../runs/use-run-changes.js';
import { minuteOf } from '../ui/values/date-words.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { scheduleWords } from '../triggers/schedule-words.js';
import { useSoon } from '../ui/use-soon.js';
import { Card } from './card.js';
import classes from './card.module.css';
import { NextSchedulesDocument } from './overview.generated.js';
import { IconCalendarOff } from '../ui/icons/icons.js';

/** The next schedules with their times, in the user's time zone. Hidden in quiet mode while there are none. */
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
            <span>{scheduleWords(trigger.config, trigger.scheduleInWords)}</span>
          </span>
          <span className={classes.aside}>
            <strong>
              <RelativeTime at={at} />
            </strong>
            <span>{minuteOf(new Date(at), { weekday: true, zone: true })}</span>
          </span>
        </>
      )}
    </Card>
  );
}
