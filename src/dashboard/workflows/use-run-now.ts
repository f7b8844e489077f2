import { useClient } from 'urql';
import { useAction } from '../ui/use-action.js';
import { RunNowDocument } from './run-now.generated.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { WorkflowDocument } from './workflow.generated.js';

/** Firing a workflow by hand. */
export interface RunNow {
  /** What has to be done first, and is, by `start`. */
  lacks: { trigger: boolean; activation: boolean };
  /** Gives the run's id; undefined when something failed, which is told. */
  start: (input: unknown) => Promise<string | undefined>;
  running: boolean;
}

/** Fires the newest active manual trigger; where there is none it is made, and where the workflow rests it is activated. */
export function useRunNow({ id, status, firesByHand }: WorkflowOfPage): RunNow {
  const client = useClient();
  const { run, running } = useAction(RunNowDocument);
  const lacks = {
    trigger: !firesByHand,
    activation: status !== 'ACTIVE',
  };
  const start = async (input: unknown): Promise<string | undefined> => {
    const made = await run({ id, input, makesTrigger: lacks.trigger, activates: lacks.activation });
    // An error says nothing of what was done before it: the next try must not make a second trigger.
    if (made === undefined) await client.query(WorkflowDocument, { id }, { requestPolicy: 'network-only' });
    return made?.runWorkflow.id;
  };
  return { lacks, start, running };
}
