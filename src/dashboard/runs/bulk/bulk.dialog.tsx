import { Button, Group, Modal, Stack } from '@mantine/core';
import { useQuery } from 'urql';
import { Notice } from '../../ui/pages/notice.js';
import { useAction } from '../../ui/forms/use-action.js';
import { CancelRunsDocument, RetryRunsDocument, BulkCountDocument } from './bulk.generated.js';
import { type BulkFilter, type BulkVerb, statusesOf } from './bulk-filter.js';

/** The request to confirm. `onBegun` receives the id of the operation. */
export interface BulkDialogProps {
  verb: BulkVerb;
  filter: BulkFilter;
  opened: boolean;
  onClose: () => void;
  onBegun: (id: string) => void;
}

/** Confirms a retry or cancelation of all runs that match, with their number. */
export function BulkDialog(props: BulkDialogProps) {
  const { verb, opened, onClose } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={verb === 'retry' ? 'Retry these runs?' : 'Cancel these runs?'}>
      <Question {...props} />
    </Modal>
  );
}

function Question({ verb, filter, onClose, onBegun }: BulkDialogProps) {
  const { count, isCapped, isKnown } = useBulkCount(verb, filter);
  const retry = useAction(RetryRunsDocument, { inForm: true });
  const cancel = useAction(CancelRunsDocument, { inForm: true });
  const { fault, running } = verb === 'retry' ? retry : cancel;
  const begin = async () => {
    const begun =
      verb === 'retry' ? (await retry.run(filter))?.retryRuns.id : (await cancel.run(filter))?.cancelRuns.id;
    if (begun === undefined) return;
    onClose();
    onBegun(begun);
  };
  const number = isCapped ? 'More than 10,000' : count.toLocaleString('en');
  return (
    <Stack gap="md">
      <div role="status">{isKnown ? <>{sentenceOf(verb, count, number)}</> : 'Counting the runs…'}</div>
      {fault !== undefined && <Notice tone="bad">{fault.message}</Notice>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          color={verb === 'cancel' ? 'red' : undefined}
          loading={running}
          disabled={!isKnown || count === 0}
          onClick={() => void begin()}
          data-autofocus
        >
          {verb === 'retry' ? 'Retry runs' : 'Cancel runs'}
        </Button>
      </Group>
    </Stack>
  );
}

function sentenceOf(verb: BulkVerb, count: number, number: string): string {
  const runs = count === 1 ? 'run matches' : 'runs match';
  if (verb === 'retry')
    return count === 0
      ? 'No failed or canceled run matches these filters.'
      : `${number} failed or canceled ${runs}. Those with a retry that has succeeded or is in progress are left out. Each of the others is retried once, as a new run from its failed step. Newly fired runs go first.`;
  return count === 0
    ? 'No run that has not ended matches these filters.'
    : `${number} ${runs} that have not ended. Queued and waiting runs end at once, running ones after their current step.`;
}

/** The number of runs that a request would take now. */
function useBulkCount(verb: BulkVerb, filter: BulkFilter) {
  const { status: _, ...others } = filter;
  const statuses = statusesOf(verb, filter);
  const [first = 'QUEUED', second = first, third = second] = statuses;
  const [{ data, stale }] = useQuery({
    query: BulkCountDocument,
    variables: { ...others, first, second, third },
    requestPolicy: 'network-only',
    pause: statuses.length === 0,
  });
  const parts = [data?.first, data?.second, data?.third].slice(0, statuses.length).map((part) => part?.totalCount ?? 0);
  return {
    count: parts.reduce((sum, part) => sum + part, 0),
    isCapped: parts.some((part) => part >= 10_000),
    isKnown: statuses.length === 0 || (data !== undefined && !stale),
  };
}
