import { Select } from '@mantine/core';
import { FilterBar } from '../../ui/tables/filter-bar.js';
import { StatusFilter } from '../../ui/tables/status-filter.js';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { WorkflowSelect } from './workflow-select.js';
import { PERIODS } from './period.js';
import { RUN_STATUSES } from '../run-states.js';

const TESTS = [
  { value: 'none', label: 'Without test runs' },
  { value: 'only', label: 'Test runs only' },
];

/** The filters of a list of runs; by workflow only if it has runs of all, by test only if it can have test runs. */
export function RunFilterBar({ withWorkflow, withTests }: { withWorkflow: boolean; withTests: boolean }) {
  const [workflow, chooseWorkflow] = useUrlValue('workflow');
  return (
    <FilterBar>
      {withWorkflow && (
        <WorkflowSelect aria-label="Workflow" value={workflow} onChange={chooseWorkflow} all="All workflows" />
      )}
      <StatusFilter statuses={RUN_STATUSES} />
      <Choice name="time" label="Time" all="Any time" choices={PERIODS} />
      {withTests && <Choice name="tests" label="Test runs" all="With test runs" choices={TESTS} />}
    </FilterBar>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  all: string;
  choices: readonly { value: string; label: string }[];
}

function Choice({ name, label, all, choices }: ChoiceProps) {
  const [chosen, choose] = useUrlValue(name);
  return (
    <Select
      aria-label={label}
      data={[{ value: '', label: all }, ...choices.map((choice) => ({ value: choice.value, label: choice.label }))]}
      value={choices.some(({ value }) => value === chosen) ? chosen : ''}
      onChange={(value) => choose(value ?? '')}
    />
  );
}
