import { type Page } from 'playwright-core';
import { type RunWorld } from '../../support/worlds/run-world.js';
import { waiting } from '../../waits/wait-world.js';

/** An action that waits for a decision. */
export const approval = (config: object = {}): object => ({
  name: 'ask',
  kind: 'wait_for_approval',
  config: { title: 'Refund {{ trigger.body.amount }} €?', ...config },
});

/** An action that waits for a callback. */
export const callback = { name: 'paid', kind: 'wait_for_callback', config: {} };

/** An action that waits for a connection of the sandbox. */
export const connection = {
  name: 'link',
  kind: 'wait_for_connection',
  config: { type: 'sandbox_api_key', reference: '{{ trigger.body.user }}' },
};

/** A run of these actions that waits. @returns its id and its pending wait. */
export async function waitingRun(
  world: RunWorld,
  actions: readonly object[],
  body: object = {},
): Promise<{ run: string; wait: any; workflow: string }> {
  const { id: workflow, hook } = await world.workflow(actions);
  const run = await world.fire(hook, { amount: 120, user: 'user-7', ...body });
  const [wait] = await waiting(world, run);
  return { run, wait, workflow };
}

/** A section of the page of waits. */
export function section(page: Page, name: 'Approvals' | 'Connections' | 'Callbacks') {
  return page.getByRole('region', { name });
}

/** The entry of the page in the navigation. */
export function entry(page: Page) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Waiting' });
}

/** Waits until the clipboard of a page has this text. Needs the permission to read it. */
export async function hasCopied(page: Page, text: string): Promise<void> {
  await page.waitForFunction((expected) => navigator.clipboard.readText().then((found) => found === expected), text);
}
