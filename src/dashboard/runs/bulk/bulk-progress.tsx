import { Box, Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Notice } from '../../ui/pages/notice.js';
import { useAction } from '../../ui/forms/use-action.js';
import classes from './bulk.module.css';
import { BulkChangedDocument, type BulkProgressFragment, CancelBulkOperationDocument } from './bulk.generated.js';

/** The progress of a bulk operation, live, with a button that cancels it. */
export function BulkProgress({ id, onClose }: { id: string; onClose: () => void }) {
  const bulk = useBulk(id);
  const { run: cancel, running } = useAction(CancelBulkOperationDocument);
  if (bulk === undefined) return null;
  const { kind, status, matched, done, failed } = bulk;
  return (
    <Box mb="md">
      <Notice tone={status === 'RUNNING' ? 'busy' : 'good'} title={titleOf(bulk)}>
        <progress
          className={classes.bar}
          value={matched === 0 ? 1 : done + failed}
          max={Math.max(matched, 1)}
          aria-label={kind === 'RETRY' ? 'Runs retried' : 'Runs canceled'}
        />
        <Group justify="space-between" gap="xs">
          <span role="status">
            {matched === 0
              ? nothingOf(kind)
              : `${done.toLocaleString('en')} of ${matched.toLocaleString('en')} ${kind === 'RETRY' ? 'retried' : 'canceled'}`}
            {failed > 0 && `, ${failed.toLocaleString('en')} not possible`}
          </span>
          {status === 'RUNNING' ? (
            <Button size="compact-sm" variant="default" loading={running} onClick={() => void cancel({ id })}>
              Stop
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={onClose}>
              Hide
            </Button>
          )}
        </Group>
      </Notice>
    </Box>
  );
}

function nothingOf(kind: BulkProgressFragment['kind']): string {
  return kind === 'RETRY'
    ? 'Nothing to retry: each run that matches has a retry that has succeeded or is in progress.'
    : 'Nothing to cancel: all runs that match have ended.';
}

function titleOf({ kind, status }: BulkProgressFragment): string {
  const runs = kind === 'RETRY' ? 'Retrying runs' : 'Canceling runs';
  return { RUNNING: `${runs}…`, DONE: `${runs} is done`, CANCELED: `${runs} was stopped` }[status];
}

function useBulk(id: string): BulkProgressFragment | undefined {
  const client = useClient();
  const [bulk, setBulk] = useState<BulkProgressFragment>();
  useEffect(() => {
    const source = client
      .subscription(BulkChangedDocument, { id })
      .subscribe(({ data }) => data && setBulk(data.bulkChanged));
    return () => source.unsubscribe();
  }, [client, id]);
  return bulk;
}
