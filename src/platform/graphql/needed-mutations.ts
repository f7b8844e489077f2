/**
 * Mutations that an account may always call: each of them ends or deletes something that it was counted for, so their number
 * is bounded by it.
 */
export const ENDING_MUTATIONS: ReadonlySet<string> = new Set([
  ...['deleteWorkflow', 'deleteTrigger', 'deleteIntegration', 'deleteWebhook', 'removeUser'],
  ...['revokeApiKey', 'revokeInvitation', 'cancelRun', 'cancelBulkOperation', 'disconnectIntegration'],
  '__typename',
]);

/**
 * Mutations that an account may call until it has stored twice as much as it may: they pause something, answer a wait,
 * end a leaked secret, or store next to nothing, and a connection of one of its users must not be lost. `updateWorkflow`
 * demands room itself for all but a status.
 */
export const NEEDED_MUTATIONS: ReadonlySet<string> = new Set([
  ...['cancelRuns', 'answerWait', 'updateWorkflow', 'rotateApiKey', 'rotateWebhookSecret'],
  ...['connectIntegration', 'reconnectIntegration', 'testIntegration', 'callApplication'],
]);

/** How many times the budget of an account its stored bytes may reach for all of these mutations. */
export function budgetsFor(mutations: Iterable<string>): number {
  let budgets = Infinity;
  for (const name of mutations)
    if (!ENDING_MUTATIONS.has(name)) budgets = Math.min(budgets, NEEDED_MUTATIONS.has(name) ? 2 : 1);
  return budgets;
}
