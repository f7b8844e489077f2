import { type Scope } from '../../platform/context.js';

/**
 * What a person should know of a new key, as a line for stderr; nothing for a program, whose stderr holds errors alone.
 * Stdout has the key and nothing else.
 */
export function keyNote(scope: Scope, { isTTY = false }: { isTTY?: boolean }): string {
  if (scope !== 'read-only' || !isTTY) return '';
  return 'keys: note: a read-only key reads everything, also the addresses and secrets of webhook triggers and the headers of actions: its holder can start workflows\n';
}
