import { until } from '../../support/until.js';
import { type Client } from '../../support/http/client.js';

/** A step in REST's form. */
export interface Step {
  status: string;
  attempt: number;
  output: { status: number } | null;
  error: { code: string; message: string } | null;
}

/** Workflows of one `app_request` each, started manually. */
export class AppCalls {
  private readonly workflows = new Map<string, string>();

  constructor(
    private readonly world: { readonly client: Client },
    private readonly path = '/api/things',
  ) {}

  /** Starts a run that calls the application. @returns the run's id. */
  async start(integrationId: string): Promise<string> {
    const workflow = this.workflows.get(integrationId) ?? (await this.workflow(integrationId));
    this.workflows.set(integrationId, workflow);
    return (await this.ask('POST', `/workflows/${workflow}/runs`)).id as string;
  }

  /** The current step of such a run; undefined before it has begun. */
  async step(run: string): Promise<Step | undefined> {
    return (await this.ask('GET', `/runs/${run}`)).steps[0] as Step | undefined;
  }

  /** Waits for the step to have an outcome. */
  async ended(run: string): Promise<Step> {
    await until(async () => (await this.ask('GET', `/runs/${run}`)).finished_at !== null);
    return (await this.step(run))!;
  }

  /** Calls the application in a run. @returns its step once that has ended. */
  async call(integrationId: string): Promise<Step> {
    return this.ended(await this.start(integrationId));
  }

  private async workflow(integrationId: string): Promise<string> {
    const { id } = await this.ask('POST', '/workflows', { name: 'Calls', status: 'active' });
    const config = { integration_id: integrationId, method: 'POST', path: this.path };
    await this.ask('PUT', `/workflows/${id}/actions`, { actions: [{ name: 'call', kind: 'app_request', config }] });
    await this.ask('POST', '/triggers', { workflow_id: id, type: 'manual' });
    return id as string;
  }

  private async ask(method: string, path: string, body?: object): Promise<Record<string, any>> {
    const answer = await this.world.client.rest(method, path, body && { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, any>;
  }
}
