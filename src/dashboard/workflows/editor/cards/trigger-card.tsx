import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { CreateTriggerDialog } from '../../../triggers/create-trigger.dialog.js';
import { useSources } from '../../../triggers/fields/use-sources.js';
import { triggerTitle } from '../../../triggers/trigger-words.js';
import { type TriggerInListFragment, TriggersDocument } from '../../../triggers/triggers.generated.js';
import { TRIGGER_TYPES } from '../../../ui/trigger-types.js';
import { StatusBadge } from '../../../ui/values/status-badge.js';
import { IconBolt, IconPlus } from '../../../ui/icons/icons.js';
import classes from './trigger-card.module.css';

/** The maximum number of triggers of a workflow. */
const MAX = 100;

/** Before the actions: what fires the workflow, with a link to each trigger; nothing until they are loaded. */
export function TriggerCard({ workflowId }: { workflowId: string }) {
  const [creating, dialog] = useDisclosure();
  const [{ data }] = useQuery({ query: TriggersDocument, variables: { page: 1, perPage: MAX, workflowId } });
  const triggers = data?.triggers.items;
  const { nameOf } = useSources(!triggers?.some(({ config }) => config.integration_id !== undefined));
  if (triggers === undefined) return null;
  return (
    <section className={classes.card} aria-label="When it runs">
      <span className={classes.icon}>
        <IconBolt size={17} stroke={1.7} aria-hidden />
      </span>
      <div className={classes.words}>
        <p className={classes.name}>{triggers.length === 0 ? 'No trigger yet' : 'When'}</p>
        {triggers.length > 0 && (
          <ul className={classes.list}>
            {triggers.map((trigger) => (
              <TriggerLine key={trigger.id} trigger={trigger} nameOf={nameOf} />
            ))}
          </ul>
        )}
      </div>
      {triggers.length === 0 && (
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={dialog.open}>
          Add trigger
        </Button>
      )}
      <CreateTriggerDialog opened={creating} onClose={dialog.close} workflowId={workflowId} />
    </section>
  );
}

function TriggerLine({
  trigger,
  nameOf,
}: {
  trigger: TriggerInListFragment;
  nameOf: (id: string) => string | undefined;
}) {
  const { id, type, status } = trigger;
  const { icon: Icon } = TRIGGER_TYPES[type];
  return (
    <li>
      <Icon size={15} stroke={1.7} aria-hidden />
      <Link to={`/triggers/${id}`}>{triggerTitle(trigger, nameOf)}</Link>
      {status !== 'ACTIVE' && <StatusBadge status={status} />}
    </li>
  );
}
