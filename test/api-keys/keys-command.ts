import { type Outcome, shellCommand } from '../support/shell-command.js';

/** Runs `keys` in a separate process, with only this environment. */
export function keysCommand(env: Record<string, string>, ...args: string[]): Promise<Outcome> {
  return shellCommand('keys', env, args);
}
