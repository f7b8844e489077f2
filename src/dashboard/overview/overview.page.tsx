import { Skeleton } from '@mantine/core';
import { PageHeader } from '../ui/pages/page-header.js';
import { AttentionCard } from './attention-card.js';
import { FailuresCard } from './failures-card.js';
import { FirstSteps } from './first-steps/first-steps.js';
import { useFirstSteps } from './first-steps/use-first-steps.js';
import classes from './overview.module.css';
import { useRange } from './ranges.js';
import { RunsOverTime } from './runs-over-time.js';
import { SchedulesCard } from './schedules-card.js';

/** `/`: results of the account's runs and objects that need attention; for a new account, the first steps. */
export function OverviewPage() {
  const { isNew, steps, hide } = useFirstSteps();
  return (
    <>
      <PageHeader
        title="Overview"
        lead={
          isNew === true
            ? 'Five steps from here to a workflow that runs.'
            : 'Recent runs, failures, and upcoming schedules.'
        }
      />
      {isNew === undefined && <Skeleton height={420} radius="md" />}
      {steps !== undefined && <FirstSteps steps={steps} onHide={hide} />}
      {isNew === true && <BeginnersCards />}
      {isNew === false && <Everything />}
    </>
  );
}

function Everything() {
  const range = useRange();
  return (
    <>
      <RunsOverTime range={range} />
      <div className={classes.cards}>
        <FailuresCard range={range} />
        <AttentionCard quiet={false} />
        <SchedulesCard quiet={false} />
      </div>
    </>
  );
}

/** Without any run, only the cards that have content. */
function BeginnersCards() {
  return (
    <div className={classes.few}>
      <AttentionCard quiet />
      <SchedulesCard quiet />
    </div>
  );
}
