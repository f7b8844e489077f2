import classes from './cron-preview.module.css';
import { type CronPreview as Preview } from './use-cron-preview.js';
import { zonedTime } from './zoned-time.js';

/** A schedule in words, and its next five times on the clocks of its zone and in UTC. */
export function CronPreview({ preview, timezone, refused }: CronPreviewProps) {
  const isUtc = timezone === '' || timezone === 'UTC';
  return (
    <div className={classes.preview}>
      <p role="status" className={classes.words}>
        {preview?.description ?? (refused ? 'The expression is not valid yet.' : ' ')}
      </p>
      <table className={classes.times}>
        <caption>Next times</caption>
        <thead>
          <tr>
            <th scope="col">{isUtc ? 'UTC' : timezone}</th>
            {!isUtc && <th scope="col">UTC</th>}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 5 }, (_, place) => preview?.next[place]).map((at, place) => (
            <tr key={at ?? place}>
              <td>{at === undefined ? ' ' : zonedTime(at, isUtc ? 'UTC' : timezone)}</td>
              {!isUtc && <td>{at === undefined ? ' ' : zonedTime(at, 'UTC')}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `refused`: the input is invalid, so there is no preview. */
export interface CronPreviewProps {
  preview: Preview['preview'];
  timezone: string;
  refused: boolean;
}
