import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache', 'tests');
const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/** The file of the source map of each TypeScript file that was loaded, by the file's URL. */
export const sourceMaps = new Map();

/** From here on Node can import TypeScript files, and the runtime provides `@jest/globals`. */
export function loadTypeScript() {
  mkdirSync(CACHE, { recursive: true });
  enableCompileCache(join(CACHE, 'v8'));
  registerHooks({ resolve, load });
}

function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  return next(typeScriptOf(specifier, context.parentURL) ?? specifier, context);
}

/** The URL of `./name.ts` for an import of `./name.js` without such a JavaScript file. */
function typeScriptOf(specifier, parent) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parent?.startsWith('file:') || parent.includes('/node_modules/')) return;
  const url = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return existsSync(url) ? url.href : undefined;
}

function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const file = compile(fileURLToPath(url));
  sourceMaps.set(url, `${file}.map`);
  return { format: 'module', source: readFileSync(file), shortCircuit: true };
}

/**
 * Compiles a file unless its content was compiled before. @returns the JavaScript file, with its source map beside it.
 */
function compile(path) {
  const text = readFileSync(path, 'utf8');
  const file = join(CACHE, `${createHash('sha256').update(path).update(text).digest('hex')}.js`);
  if (existsSync(file)) return file;
  const { code, map } = transformSync(text, { filename: path, sourceMaps: true, inlineSourcesContent: true });
  write(`${file}.map`, map);
  write(file, code);
  return file;
}

/** Writes a file completely or not at all: several workers may compile the same source. */
function write(file, content) {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, file);
}
