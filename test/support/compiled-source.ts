import { transformFileSync } from '@swc/core';
import { globSync, mkdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Below the package's root, so that its own files and packages are found as from `src`. */
const FOLDER = join('dist', 'swc');

/** The NODE_COMPILE_CACHE that processes share: what V8 compiled for the first, the next one reads. */
export const COMPILE_CACHE = join(process.cwd(), 'node_modules', '.cache', 'service-process');

let isFresh = false;

/**
 * Where the JavaScript of a file like `src/main.ts` lies, for a process of its own: all of `src` is compiled once, and
 * again what changed since, instead of all of it at each start. Several processes may ask at once.
 */
export function compiledSource(file: string): string {
  if (!isFresh) for (const source of globSync('src/**/*.ts')) compile(source);
  isFresh = true;
  return targetOf(file);
}

function compile(source: string): void {
  const target = targetOf(source);
  const { mtime } = statSync(source);
  if (statSync(target, { throwIfNoEntry: false })?.mtime.getTime() === mtime.getTime()) return;
  const { code } = transformFileSync(source, { sourceMaps: false });
  mkdirSync(dirname(target), { recursive: true });
  // Whole or not at all, for those who run it at this moment.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, code);
  utimesSync(unfinished, mtime, mtime);
  renameSync(unfinished, target);
}

function targetOf(source: string): string {
  return join(FOLDER, source.replace(/\.ts$/, '.js'));
}
