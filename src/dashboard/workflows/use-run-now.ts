import { useClient } from 'urql';
import { useAction } from '../ui/forms/use-action.js';
import { RunNowDocument } from './run-now.generated.js';
import { type WorkflowOfPage } from './workflow-context.js';
import { WorkflowDocument } from './workflow.generated.js';

/** Firing a workflow by hand. */
export interface RunNow {
  /** The missing prerequisites, which `start` fulfils. */
  lacks: { trigger: boolean; activation: boolean };
  /** Returns the run's id; undefined, with a toast, after a failure. */
  start: (input: unknown) => Promise<string | undefined>;
  running: boolean;
}

/** Fires the newest active manual trigger. If there is none it creates one, and it activates an inactive workflow. */
export function useRunNow({ id, status, firesByHand }: WorkflowOfPage): RunNow {
  const client = useClient();
  const { run, running } = useAction(RunNowDocument);
  const lacks = {
    trigger: !firesByHand,
    activation: status !== 'ACTIVE',
  };
  const start = async (input: unknown): Promise<string | undefined> => {
    const made = await run({ id, input, makesTrigger: lacks.trigger, activates: lacks.activation });
    // Without a response it may have succeeded: the next try must not create a second trigger.
    if (made === undefined) await client.query(WorkflowDocument, { id }, { requestPolicy: 'network-only' });
    return made?.runWorkflow.id;
  };
  return { lacks, start, running };
}
