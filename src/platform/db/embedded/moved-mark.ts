import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flush } from './create-cluster.js';

const FILE = 'moved.json';

/** When and to which server a database was moved. */
export interface Move {
  at: string;
  /** The URL without user and password. */
  to: string;
}

/** Marks a data folder whose database was moved to a server. Undefined takes the mark away. */
export function markMoved(dataDir: string, move: Move | undefined): void {
  const path = join(dataDir, FILE);
  if (move === undefined) rmSync(path, { force: true });
  else writeFileSync(path, `${JSON.stringify(move)}\n`, { mode: 0o600, flush: true });
  flush(dataDir);
}

/** The mark of a data folder; undefined for one that was not moved. */
export function moveOf(dataDir: string): Move | undefined {
  const path = join(dataDir, FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Move) : undefined;
}
