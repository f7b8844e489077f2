import { Select } from '@mantine/core';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { StatusFilter } from '../../ui/tables/status-filter.js';
import { useUrlValues } from '../../ui/tables/use-url-value.js';
import { WorkflowSelect } from './workflow-select.js';
import { SearchField } from '../../ui/tables/search-field.js';
import { CustomPeriod } from './custom-period.js';
import { CUSTOM, PERIODS } from './period.js';
import classes from './run-list.module.css';
import { RUN_STATUSES } from '../run-states.js';

const TESTS = [
  { value: 'none', label: 'Without test runs' },
  { value: 'only', label: 'Test runs only' },
];

const TIMES = [...PERIODS, { value: CUSTOM, label: 'Custom range…' }];

/** The filters of a list of runs; by workflow only if it has runs of all, by test only if it can have test runs. */
export function RunFilterBar({ withWorkflow, withTests }: { withWorkflow: boolean; withTests: boolean }) {
  const { valueOf, set } = useUrlValues();
  return (
    <>
      <FilterBar>
        <SearchField label="Search by id, error or input" />
        {withWorkflow && (
          <WorkflowSelect
            aria-label="Workflow"
            value={valueOf('workflow')}
            onChange={(workflow) => set({ workflow })}
            all="All workflows"
          />
        )}
        <StatusFilter statuses={RUN_STATUSES} />
        <Choice
          label="Time"
          all="Any time"
          choices={TIMES}
          chosen={valueOf('time')}
          onChoose={(time) => set({ time, from: '', to: '' })}
        />
        {withTests && (
          <Choice
            label="Test runs"
            all="With test runs"
            choices={TESTS}
            chosen={valueOf('tests')}
            onChoose={(tests) => set({ tests })}
          />
        )}
      </FilterBar>
      {valueOf('time') === CUSTOM && <CustomPeriod />}
      {valueOf('search') !== '' && (
        <p className={classes.bound}>
          A text is searched for in the newest 10,000 runs of the chosen {withWorkflow ? 'workflow and time' : 'time'},
          and in inputs of up to 16 kB. A whole id is always found.
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  all: string;
  choices: readonly { value: string; label: string }[];
  chosen: string;
  onChoose: (value: string) => void;
}

function Choice({ label, all, choices, chosen, onChoose }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      data={[{ value: '', label: all }, ...choices.map((choice) => ({ value: choice.value, label: choice.label }))]}
      value={choices.some(({ value }) => value === chosen) ? chosen : ''}
      onChange={(value) => onChoose(value ?? '')}
    />
  );
}
