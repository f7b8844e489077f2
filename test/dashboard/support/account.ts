import { type Client } from '../../support/http/client.js';

/** One account's doings over GraphQL, as the person who is signed in. */
export class Account {
  constructor(private readonly client: Client) {}

  /** @throws Error with what the service refused. */
  async ask(query: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { body } = await this.client.graphql(query, variables);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  /** A workflow; `actions` as `setWorkflowActions` takes them. @returns its id. */
  async workflow(name: string, actions: readonly object[] = [], status = 'ACTIVE'): Promise<string> {
    const make = 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }';
    const { id } = (await this.ask(make, { input: { name, status } })).createWorkflow;
    const set =
      'mutation ($id: ID!, $actions: [ActionInput!]!) { setWorkflowActions(workflowId: $id, actions: $actions) { id } }';
    if (actions.length > 0) await this.ask(set, { id, actions });
    return id;
  }

  /** @returns the trigger's id and, of a webhook, the path of its hook. */
  async trigger(workflowId: string, type = 'WEBHOOK', config?: object): Promise<{ id: string; hook: string }> {
    const make = 'mutation ($input: CreateTriggerInput!) { createTrigger(input: $input) { id webhookUrl } }';
    const { id, webhookUrl } = (await this.ask(make, { input: { workflowId, type, config } })).createTrigger;
    return { id, hook: webhookUrl === null ? '' : new URL(webhookUrl).pathname };
  }

  /** Posts to a hook. @returns the id of the run. */
  async fire(hook: string, body: unknown = {}): Promise<string> {
    return (await this.client.send('POST', hook, { body })).body.run_id;
  }

  /** Waiting until a run has ended. @returns how. */
  async ended(runId: string): Promise<string> {
    return (await this.ask('query ($id: ID!) { run(id: $id, wait: 30) { status } }', { id: runId })).run.status;
  }

  /** Connects the sandbox by OAuth, as a person who grants at once. @returns the integration's id. */
  async connectSandbox(label: string, choices: { lifetime?: number; refresh?: 'yes' | 'no' } = {}): Promise<string> {
    const start = `mutation ($label: String) { connectIntegration(input: { type: "sandbox_oauth", label: $label }) {
      ... on IntegrationAuthorization { redirectUrl integrationId } } }`;
    const { redirectUrl, integrationId } = (await this.ask(start, { label })).connectIntegration;
    const page = new URL(redirectUrl);
    const { lifetime = 3600, refresh = 'yes' } = choices;
    const answers = { decision: 'grant', account: 'ada', lifetime: String(lifetime), refresh };
    const body = new URLSearchParams([...page.searchParams, ...Object.entries(answers)]);
    await fetch(page.origin + page.pathname, { method: 'POST', body });
    return integrationId;
  }
}

/** An action that fails at once: the service calls no private address. */
export const FAILING = { name: 'call', kind: 'HTTP_REQUEST', config: { method: 'GET', url: 'http://10.0.0.1/' } };

/** An action that takes an hour. */
export const LASTING = { name: 'wait', kind: 'DELAY', config: { seconds: 3600 } };

/** An action that ends soon. */
export const SHORT = { ...LASTING, config: { seconds: 0.1 } };
