import { Select } from '@mantine/core';
import { relativeTime, useRoundedNow } from '../../../ui/values/relative-time.js';
import { statusLabel } from '../../../ui/values/status-badge.js';
import { type SourceRunsQuery } from '../../../runs/source/source-run.generated.js';

/** The choice of the past run that supplies the values in the pickers. */
export function SourceRunSelect({ runs, chosen, onChoose }: SourceRunSelectProps) {
  const now = useRoundedNow();
  const data = (runs ?? []).map(({ id, status, createdAt, isTest }) => ({
    value: id,
    label: `${isTest ? 'Test' : 'Run'} ${relativeTime(new Date(createdAt).getTime(), now)} · ${statusLabel(status)}`,
  }));
  return (
    <Select
      size="xs"
      aria-label="Values from"
      data={data}
      value={chosen ?? null}
      onChange={(value) => value !== null && onChoose(value)}
      placeholder={runs === undefined ? 'Loading' : 'No run yet'}
      disabled={data.length === 0}
      nothingFoundMessage="No run yet"
    />
  );
}

/** `runs` are undefined until loaded. */
export interface SourceRunSelectProps {
  runs: SourceRunsQuery['runs']['items'] | undefined;
  chosen: string | undefined;
  onChoose: (id: string) => void;
}
