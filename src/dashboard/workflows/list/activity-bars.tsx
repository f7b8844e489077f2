import { VisuallyHidden } from '@mantine/core';
import { share } from '../../ui/values/share.js';
import classes from './activity-bars.module.css';
import { type Activity, DAYS } from './use-activity.js';

/** In pixels. */
const BAR = { width: 5, gap: 2, height: 22, least: 2 } as const;

/** A bar for each day, with the failed runs on top, and the share of failed runs; nothing until it is counted. */
export function ActivityBars({ activity }: { activity: Activity | undefined }) {
  if (activity === undefined) return null;
  if (activity === null)
    return <span title="These workflows have too many runs to count them here.">Too many runs</span>;
  const { succeeded, failed } = activity.sum;
  const ended = succeeded + failed;
  if (ended === 0) return <>—</>;
  const rate = share(failed, ended);
  const words = `${inFigures(ended)} ${ended === 1 ? 'run' : 'runs'} in ${DAYS} days, ${inFigures(failed)} failed (${rate})`;
  return (
    <span className={classes.activity} title={words}>
      <VisuallyHidden>{words}</VisuallyHidden>
      <Bars days={activity.buckets} />
      <span className={classes.rate} data-failed={failed > 0 || undefined} aria-hidden>
        {rate}
      </span>
    </span>
  );
}

function Bars({ days }: { days: NonNullable<Activity>['buckets'] }) {
  const most = Math.max(...days.map(({ succeeded, failed }) => succeeded + failed));
  const heightOf = (runs: number): number => (runs === 0 ? 0 : Math.max(BAR.least, (runs / most) * BAR.height));
  return (
    <svg className={classes.bars} width={days.length * (BAR.width + BAR.gap)} height={BAR.height} aria-hidden>
      {days.map(({ from, succeeded, failed }, index) => {
        const bottom = heightOf(succeeded);
        const top = Math.min(heightOf(failed), BAR.height);
        const place = { x: index * (BAR.width + BAR.gap), width: BAR.width };
        if (succeeded + failed === 0)
          return <rect key={from} {...place} data-series="none" y={BAR.height - 1} height={1} />;
        return (
          <g key={from}>
            <rect {...place} data-series="failed" y={Math.max(0, BAR.height - bottom - top)} height={top} />
            <rect
              {...place}
              data-series="succeeded"
              y={BAR.height - Math.min(bottom, BAR.height - top)}
              height={Math.min(bottom, BAR.height - top)}
            />
          </g>
        );
      })}
    </svg>
  );
}

function inFigures(value: number): string {
  return value.toLocaleString('en');
}
