import { ActionIcon, SegmentedControl, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ErrorState } from '../ui/pages/error-state.js';
import { Notice } from '../ui/pages/notice.js';
import { useUrlValue } from '../ui/tables/use-url-value.js';
import { RunsChart } from './chart/runs-chart.js';
import { RunsTable } from './chart/runs-table.js';
import { type Range, RANGES } from './ranges.js';
import classes from './runs-over-time.module.css';
import { Totals } from './totals.js';
import { type RunStatistics, useRunStatistics } from './use-run-statistics.js';
import { IconChartBar, IconTable } from '../ui/icons/icons.js';

/** The number of runs and their results per hour or day: as a chart or as a table, live. */
export function RunsOverTime({ range: asked }: { range: Range }) {
  const statistics = useRunStatistics(asked);
  const [asTable, table] = useDisclosure();
  const range = statistics.range ?? asked;
  return (
    <section className={classes.card} aria-labelledby="runs-over-time">
      <div className={classes.head}>
        <h2 id="runs-over-time">Runs</h2>
        <div className={classes.controls}>
          <RangeControl range={range} />
          <ActionIcon
            variant="default"
            size={30}
            title={asTable ? 'Show as chart' : 'Show as table'}
            aria-label="Show as table"
            aria-pressed={asTable}
            onClick={table.toggle}
          >
            {asTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
          </ActionIcon>
        </div>
      </div>
      <div aria-live="polite">{statistics.range !== asked && <TooMany asked={asked} shown={statistics.range} />}</div>
      <Body {...statistics} asTable={asTable} shown={range} />
    </section>
  );
}

function Body({ data, error, fetching, reload, range, asTable, shown }: RunStatistics & BodyProps) {
  if (range === undefined) return null;
  if (data === undefined && error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  return (
    <>
      <Totals counts={data?.sum} range={shown} />
      {data === undefined ? (
        <Skeleton height={234} radius="md" />
      ) : (
        <div className={classes.body} data-busy={fetching || undefined}>
          {!asTable && <RunsChart buckets={data.buckets} />}
          <RunsTable buckets={data.buckets} caption={`Runs of ${shown.inWords}`} visible={asTable} />
        </div>
      )}
    </>
  );
}

interface BodyProps {
  asTable: boolean;
  shown: Range;
}

function RangeControl({ range }: { range: Range }) {
  const [, choose] = useUrlValue('range');
  return (
    <SegmentedControl
      aria-label="Time"
      size="xs"
      data={RANGES.map(({ value, label }) => ({ value, label }))}
      value={range.value}
      onChange={(value) => choose(value === RANGES[0].value ? '' : value)}
    />
  );
}

function TooMany({ asked, shown }: { asked: Range; shown: Range | undefined }) {
  return (
    <div className={classes.notice}>
      <Notice tone="busy" title={`More than 1,000,000 runs in ${asked.inWords}`}>
        {shown === undefined
          ? 'More runs than are counted here.'
          : `More runs than are counted here: you see ${shown.inWords}.`}
      </Notice>
    </div>
  );
}
