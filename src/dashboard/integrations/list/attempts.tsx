import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.js';
import { useAction } from '../../ui/forms/use-action.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { type Column } from '../../ui/tables/data-table-column.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { DeleteIntegrationDocument } from '../connect.generated.js';
import { type IntegrationsQuery } from '../integrations.generated.js';
import { reasonInWords } from '../status-reasons.js';
import classes from './attempts.module.css';
import { INTEGRATION_COLUMNS } from './integration-columns.js';

type Row = IntegrationsQuery['integrations']['items'][number];

const COLUMNS: readonly Column<Row>[] = [
  INTEGRATION_COLUMNS[0]!,
  { header: 'Reason', cell: ({ statusReason }) => (statusReason === null ? '—' : reasonInWords(statusReason).label) },
];

/** The attempts of a page of the list that never became a connection, folded, with a button that deletes them. */
export function Attempts({ attempts, onDeleted }: { attempts: readonly Row[]; onDeleted: () => void }) {
  const { run, running } = useAction(DeleteIntegrationDocument);
  const [shown, { toggle }] = useDisclosure();
  const [asking, ask] = useDisclosure();
  const total = attempts.length;
  const counted = total === 1 ? '1 attempt' : `${total} attempts`;
  const remove = async () => {
    const results = await Promise.all(attempts.map(({ id }) => run({ id })));
    ask.close();
    if (!results.includes(undefined)) notifyDone(`Deleted ${counted}.`);
    onDeleted();
  };
  return (
    <section className={classes.attempts} aria-label="Attempts that did not connect">
      <p className={classes.line}>
        <span>{counted} that did not connect</span>
        <Button variant="subtle" size="compact-sm" aria-expanded={shown} onClick={toggle}>
          {shown ? 'Hide' : 'Show'}
        </Button>
        <Button variant="subtle" size="compact-sm" color="red" onClick={ask.open}>
          Delete
        </Button>
      </p>
      {shown && (
        <DataTable
          label="Attempts that did not connect"
          columns={COLUMNS}
          page={{ items: attempts, meta: { page: 1, perPage: total, total } }}
          fetching={false}
          error={undefined}
          onRetry={onDeleted}
          href={({ id }) => `/integrations/${id}`}
          empty={null}
        />
      )}
      <ConfirmDialog
        opened={asking}
        onClose={ask.close}
        title={`Delete ${counted}?`}
        confirmLabel="Delete permanently"
        running={running}
        onConfirm={() => void remove()}
      >
        <p>No credentials were stored, and no workflow uses them.</p>
      </ConfirmDialog>
    </section>
  );
}
