import { useAction } from '../ui/use-action.js';
import { CreateManualTriggerDocument, RunWorkflowDocument } from './run-now.generated.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { UpdateWorkflowDocument } from './workflow.generated.js';

/** Firing a workflow by hand. */
export interface RunNow {
  /** What has to be done first, and is, by `start`. */
  lacks: { trigger: boolean; activation: boolean };
  /** Gives the run's id; undefined when something failed, which is told. */
  start: (input: unknown) => Promise<string | undefined>;
  running: boolean;
}

/** Fires the newest active manual trigger; where there is none it is made, and where the workflow rests it is activated. */
export function useRunNow({ id, status, triggers }: WorkflowOfPage): RunNow {
  const trigger = useAction(CreateManualTriggerDocument);
  const update = useAction(UpdateWorkflowDocument);
  const fire = useAction(RunWorkflowDocument);
  const lacks = {
    trigger: !triggers.items.some((known) => known.type === 'MANUAL' && known.status === 'ACTIVE'),
    activation: status !== 'ACTIVE',
  };
  const start = async (input: unknown): Promise<string | undefined> => {
    if (lacks.trigger && (await trigger.run({ workflowId: id })) === undefined) return undefined;
    if (lacks.activation && (await update.run({ id, input: { status: 'ACTIVE' } })) === undefined) return undefined;
    return (await fire.run({ id, input }))?.runWorkflow.id;
  };
  return { lacks, start, running: trigger.running || update.running || fire.running };
}
