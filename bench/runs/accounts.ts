import { type SeededAccount } from '../seed.js';

/** An account with a hook whose run is one true condition: the cheapest action. */
export interface HookedAccount {
  account: SeededAccount;
  workflowId: string;
  /** The path of the hook. */
  hook: string;
}

const NO_OP = { name: 'no-op', kind: 'condition', config: { path: 'trigger.body', operator: 'exists' } };

/** Gives each account an active workflow with the no-op and a hook, over REST as a client would. */
export function giveHooks(port: number, accounts: readonly SeededAccount[]): Promise<HookedAccount[]> {
  return Promise.all(
    accounts.map(async (account) => {
      const ask = (method: string, path: string, body: object) => request(port, account.key, method, path, body);
      const { id } = await ask('POST', '/workflows', { name: 'no-op', status: 'active' });
      await ask('PUT', `/workflows/${id}/actions`, { actions: [NO_OP] });
      const trigger = await ask('POST', '/triggers', { workflow_id: id, type: 'webhook' });
      return { account, workflowId: id!, hook: new URL(trigger.webhook_url!).pathname };
    }),
  );
}

async function request(
  port: number,
  key: string,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}
