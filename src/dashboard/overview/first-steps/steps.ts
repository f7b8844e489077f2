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

/** The steps in a sensible order; the existing objects of the account tick them off. */
export function firstSteps(data: FirstStepsQuery): FirstStep[] {
  const workflows = data.workflows.items;
  const [trigger] = data.triggers.items;
  const acting = workflows.find(({ actions }) => actions.length > 0);
  // The workflow with the most steps completed.
  const one = workflows.find(({ id }) => id === trigger?.workflowId) ?? acting ?? workflows[0];
  const place = (tab: string) => (one === undefined ? 'new' : `/workflows/${one.id}/${tab}`);
  return [
    { ...WORDS.workflow, to: one === undefined ? 'new' : place('actions'), done: one !== undefined, optional: false },
    { ...connection(data), done: data.integrations.items.length > 0, optional: false },
    { ...WORDS.action, to: place('actions'), done: acting !== undefined, optional: false },
    { ...WORDS.trigger, to: place('triggers'), done: trigger !== undefined, optional: false },
    { ...run(one), to: place('triggers'), done: data.runs.items.length > 0, optional: false },
    { ...WORDS.key, to: '/settings/api-keys', done: data.apiKeys.items.length > 0, optional: true },
  ];
}

const WORDS = {
  workflow: {
    key: 'workflow',
    title: 'Make a workflow',
    text: 'A workflow is a list of actions with triggers that start them. Begin with a name.',
    action: 'New workflow',
  },
  action: {
    key: 'action',
    title: 'Say what it does',
    text: 'Add an action: a call to the connected application, to any address, a mail, a condition or a pause.',
    action: 'Add an action',
  },
  trigger: {
    key: 'trigger',
    title: 'Choose what starts it',
    text: 'Add a trigger. A webhook is the quickest: it has an address of its own, and every POST to it makes a run.',
    action: 'Add a trigger',
  },
  key: {
    key: 'key',
    title: 'Make an API key',
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
      ? 'Copy the curl line of the trigger into a terminal, or press “Run now”; the run appears here automatically.'
      : `“${workflow.name}” runs nothing yet: activate it. Then send something to its trigger, or press “Run now”.`;
  return { key: 'run', title: 'See it run', text, action: 'Fire it' } as const;
}
