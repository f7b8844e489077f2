import { transformFileSync } from '@swc/core';
import { globSync, mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Below the package's root, so that imports resolve as from `src`. */
const FOLDER = join('dist', 'swc');

/** The NODE_COMPILE_CACHE of all processes: later ones reuse the code that V8 compiled for the first. */
export const COMPILE_CACHE = join(process.cwd(), 'node_modules', '.cache', 'service-process');

let isFresh = false;

/**
 * The JavaScript file of a source like `src/main.ts`, or of a test, for a separate process. All of `src` is compiled once, and later
 * only changed files. Several processes may call this at once.
 */
export function compiledSource(file: string): string {
  if (!isFresh) for (const source of globSync('src/**/*.ts')) compile(source);
  isFresh = true;
  if (!file.startsWith('src/')) compile(file);
  return targetOf(file);
}

function compile(source: string): void {
  const target = targetOf(source);
  const { mtime } = statSync(source);
  if (statSync(target, { throwIfNoEntry: false })?.mtime.getTime() === mtime.getTime()) return;
  const { code } = transformFileSync(source, { sourceMaps: false });
  mkdirSync(dirname(target), { recursive: true });
  // Written completely or not at all, for processes that run it at this moment.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, code);
  utimesSync(unfinished, mtime, mtime);
  renameSync(unfinished, target);
}

function targetOf(source: string): string {
  return join(FOLDER, source.replace(/\.ts$/, '.js'));
}
