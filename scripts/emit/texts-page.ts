import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { link } from './markdown.js';
import { sourceFiles } from './sources.js';
import { textsOf } from './texts-of.js';

const INTRODUCTION = `All texts of the dashboard, of the pages that the service renders, and of its emails, by the file that has them. \`…\` stands
for a value. Read them in one go after a change: one term for one thing, and [plain words](../STYLE.md#plain-words).

Made by \`npm run emit\`; \`npm run check\` fails when it is stale.`;

/** Code and names for machines. */
const NO_TEXTS =
  /\.generated\.ts$|\/snippets\/|\/graphql\/cache\.ts$|\/app\/theme\.ts$|vite\.config\.ts$|hook-curl\.ts$/;

/** The texts that users read, by file, in the order of the files. */
export function allTexts(): Map<string, string[]> {
  const files = [
    ...['.ts', '.tsx'].flatMap((ending) => sourceFiles(ending, 'src/dashboard')),
    ...['.email.ts', '.page.ts', '.pages.ts'].flatMap((ending) => sourceFiles(ending, 'src/features')),
  ].filter((file) => !NO_TEXTS.test(file));
  const texts = files.map((file): [string, string[]] => [
    file,
    textsOf(file, readFileSync(join(packageRoot, file), 'utf8')),
  ]);
  return new Map(texts.filter(([, found]) => found.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `docs/texts.md`: all texts that users read. */
export function textsPage(): string {
  const parts = [...allTexts()].map(([file, texts]) =>
    [link(file, `\`${file}\``), '', ...texts.map((text) => `- ${escaped(text)}`)].join('\n'),
  );
  return ['# Texts', INTRODUCTION, ...parts, ''].join('\n\n');
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|]/g, (character) => `\\${character}`);
}
