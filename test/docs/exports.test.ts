import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/platform/package-root.js';

/** The least share of exports with a sentence. Resolvers and arguments are described in the GraphQL schema. */
const LEAST = 0.95;

/** Without migrations and icons, whose names say what they are. */
const FILES = globSync('src/**/*.{ts,tsx}', { cwd: packageRoot }).filter(
  (file) => !/\.generated\.ts$|\/migrations\/|\/icons\.ts$/.test(file),
);

interface Export {
  /** `file name`. */
  place: string;
  isDocumented: boolean;
}

/** The exports that a file declares. A type that has the name of an exported value shares its sentence. */
function exportsOf(file: string): Export[] {
  const source = readFileSync(join(packageRoot, file), 'utf8');
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const found = new Map<string, boolean>();
  for (const statement of ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind).statements) {
    if (!isExported(statement)) continue;
    const isDocumented = ts.getJSDocCommentsAndTags(statement).some((node) => ts.isJSDoc(node));
    for (const name of namesOf(statement)) found.set(name, isDocumented || (found.get(name) ?? false));
  }
  return [...found].map(([name, isDocumented]) => ({ place: `${file} ${name}`, isDocumented }));
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

describe('the exports', () => {
  it.each([
    ['of the service', FILES.filter((file) => !file.startsWith('src/dashboard/'))],
    ['of the dashboard', FILES.filter((file) => file.startsWith('src/dashboard/'))],
  ])('%s have a sentence each, but for one in twenty', (_, files) => {
    const all = files.flatMap(exportsOf);
    const silent = all.filter(({ isDocumented }) => !isDocumented).map(({ place }) => place);
    expect(all.length).toBeGreaterThan(400);
    expect(silent.length / all.length > 1 - LEAST ? silent : []).toEqual([]);
  });
});
