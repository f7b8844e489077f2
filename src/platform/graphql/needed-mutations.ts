/**
 * Mutations that an account may call although it has stored too much: they end, pause or delete something, answer a wait,
 * end a leaked secret, or store next to nothing, and a connection of one of its users must not be lost.
 */
export const NEEDED_MUTATIONS: ReadonlySet<string> = new Set([
  ...['deleteWorkflow', 'deleteTrigger', 'deleteIntegration', 'deleteWebhook', 'removeUser'],
  ...['revokeApiKey', 'revokeInvitation', 'rotateApiKey', 'rotateWebhookSecret'],
  ...['cancelRun', 'cancelRuns', 'cancelBulkOperation', 'answerWait', 'updateWorkflow'],
  ...['connectIntegration', 'reconnectIntegration', 'disconnectIntegration'],
  ...['testIntegration', 'callApplication'],
  '__typename',
]);

/** Whether an account needs room to call all of these mutations. */
export function needRoom(mutations: Iterable<string>): boolean {
  for (const name of mutations) if (!NEEDED_MUTATIONS.has(name)) return true;
  return false;
}
