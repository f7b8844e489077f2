import { Skeleton } from '@mantine/core';
import { type ReactNode } from 'react';
import { Link } from 'react-router';
import chart from './chart/chart.module.css';
import { type Counts, runCount, SERIES, successRate } from './chart/series.js';
import { type Range } from './ranges.js';
import classes from './totals.module.css';

/** The totals of the chart, which also serve as its legend; each links to its runs. */
export function Totals({ counts, range }: { counts: Counts | undefined; range: Range }) {
  const number = (value: (counts: Counts) => ReactNode) => (counts === undefined ? <Waiting /> : value(counts));
  return (
    <dl className={classes.totals}>
      <div className={classes.main}>
        <dt>Success rate</dt>
        <dd>{number((all) => successRate(all) ?? '–')}</dd>
      </div>
      <div className={classes.main}>
        <dt title="Without skipped and test runs">Runs</dt>
        <dd>{number((all) => runCount(all).toLocaleString('en'))}</dd>
      </div>
      {SERIES.map(({ key, label, inRuns, isPassing, count }) =>
        isPassing && (counts === undefined || count(counts) === 0) ? null : (
          <div key={key} className={classes.part}>
            <dt>
              <i className={chart.swatch} data-series={key} aria-hidden />
              {inRuns === undefined ? label : <Link to={runsAddress(range, inRuns)}>{label}</Link>}
            </dt>
            <dd>{number((all) => count(all).toLocaleString('en'))}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** The URL of the list of runs in a status, with the range if the list supports it. */
export function runsAddress({ inRuns }: Range, status: string): string {
  const time = inRuns === undefined ? '' : `&time=${inRuns}`;
  return `/runs?status=${status}${time}&tests=none`;
}

function Waiting() {
  return <Skeleton component="span" display="inline-block" height="0.75em" width={44} radius="sm" />;
}
