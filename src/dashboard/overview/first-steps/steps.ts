import { type FirstStepsQuery } from './first-steps.generated.js';

/** One introductory step for a new account. */
export interface FirstStep {
  key: 'workflow' | 'connection' | 'action' | 'trigger' | 'run' | 'key';
  title: string;
  text: string;
  /** The label and the target of its button; `new` opens the dialog for a new workflow. */
  action: string;
  to: string;
  done: boolean;
  /** The step is not necessary for a first run. */
  optional: boolean;
}

/**
 * The steps in a sensible order; the existing objects of the account tick them off. Once a run has ended every step that
 * led to it is done, even if its workflow is deleted since, or is none of those that were queried.
 */
export function firstSteps(data: FirstStepsQuery): FirstStep[] {
  const { items: workflows, meta } = data.workflows;
  const [trigger] = data.triggers.items;
  const ran = data.succeeded.items.length > 0 || data.failed.items.length > 0;
  const acting = workflows.find(({ actions }) => actions.length > 0);
  // An account with more workflows than were queried has known for long how to add an action.
  const acts = acting !== undefined || meta.total > workflows.length;
  // The workflow with the most steps completed.
  const one = workflows.find(({ id }) => id === trigger?.workflowId) ?? acting ?? workflows[0];
  const place = (tab: string) => (one === undefined ? 'new' : `/workflows/${one.id}/${tab}`);
  const needed = (done: boolean) => ({ done: ran || done, optional: false });
  return [
    { ...WORDS.workflow, to: place('actions'), ...needed(one !== undefined) },
    { ...connection(data), ...needed(data.integrations.items.length > 0) },
    { ...WORDS.action, to: place('actions'), ...needed(acts) },
    { ...WORDS.trigger, to: place('triggers'), ...needed(trigger !== undefined) },
    { ...run(one), to: place('triggers'), ...needed(false) },
    { ...WORDS.key, to: '/settings/api-keys', done: data.apiKeys.items.length > 0, optional: true },
  ];
}

const WORDS = {
  workflow: {
    key: 'workflow',
    title: 'Create a workflow',
    text: 'A workflow is a list of actions with triggers that start them. Begin with a name.',
    action: 'New workflow',
  },
  action: {
    key: 'action',
    title: 'Add an action',
    text: 'It calls the connected application or any URL, sends an email, checks a condition, or waits.',
    action: 'Add an action',
  },
  trigger: {
    key: 'trigger',
    title: 'Add a trigger',
    text: 'A webhook is the quickest: it has its own URL, and every POST to it starts a run.',
    action: 'Add a trigger',
  },
  key: {
    key: 'key',
    title: 'Create an API key',
    text: 'For your own code: workflows, triggers, connections and runs, over GraphQL and REST.',
    action: 'New API key',
  },
} as const;

function connection({ integrationTypes }: FirstStepsQuery) {
  const words = { key: 'connection', title: 'Connect an application' } as const;
  if (integrationTypes.items.length === 0) {
    const text = 'Workflows can then react to its events and call it. Use its API key, or allow access there.';
    return { ...words, text, action: 'Connect', to: '/integrations/new' };
  }
  const text = 'The sandbox is a built-in application that asks for access, so you can try it without an account.';
  return { ...words, text, action: 'Connect the sandbox', to: '/integrations/new/sandbox_oauth' };
}

function run(workflow: FirstStepsQuery['workflows']['items'][number] | undefined) {
  const text =
    workflow === undefined || workflow.status === 'ACTIVE'
      ? 'Copy the curl line of the trigger into a terminal, or run the workflow yourself. The run completes this step when it ends.'
      : `“${workflow.name}” runs nothing yet: activate it. Then send something to its trigger, or run it yourself.`;
  return { key: 'run', title: 'See it run', text, action: 'Run it' } as const;
}
