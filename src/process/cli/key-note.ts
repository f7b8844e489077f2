import { type Scope } from '../../platform/context.js';

/**
 * A note about a new key for a terminal, as a line for stderr; empty when stderr is not a terminal, since programs
 * expect only errors there. Stdout holds the key and nothing else.
 */
export function keyNote(scope: Scope, { isTTY = false }: { isTTY?: boolean }): string {
  if (scope !== 'read-only' || !isTTY) return '';
  return 'keys: note: a read-only key reads everything, also the addresses and secrets of webhook triggers and the headers of actions: its holder can start workflows\n';
}
