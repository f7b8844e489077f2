import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescript from '@graphql-codegen/typescript';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isEnumType,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import { strictSchema } from '../../src/platform/graphql/semantic-non-null.js';
import { packageRoot } from '../../src/platform/package-root.js';

const FOLDER = 'src/dashboard';
const ENUMS = `${FOLDER}/graphql/enums.generated.ts`;

const config = {
  scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown', JSONObject: 'Record<string, unknown>' },
  useTypeImports: true,
  documentNodeImport: 'urql#TypedDocumentNode',
  skipTypename: true,
  dedupeFragments: true,
  arrayInputCoercion: false,
  disableDescriptions: true,
};

/**
 * Generates types and documents of the dashboard's operations: for each `x.graphql` with an operation a file
 * `x.generated.ts` beside it, and the enums of the schema. Fragments are visible in all files by their name. @throws
 * Error for an operation that the schema rejects.
 */
export async function dashboardOperations(schema: GraphQLSchema): Promise<Record<string, string>> {
  const schemaDocument = parse(strictSchema(schema));
  const sources = globSync(`${FOLDER}/**/*.graphql`, { cwd: packageRoot }).sort();
  const documents = sources.map((file) => ({ file, document: parse(readFileSync(join(packageRoot, file), 'utf8')) }));
  const fragments = new Map(documents.flatMap(({ document }) => fragmentsOf(document)).map((f) => [f.name.value, f]));
  const texts: Record<string, string> = {
    [ENUMS]: await codegen({
      schema: schemaDocument,
      documents: [],
      filename: 'enums.ts',
      plugins: [{ typescript: {} }],
      pluginMap: { typescript },
      config: { ...config, onlyEnums: true, enumsAsTypes: true },
    }),
  };
  for (const { file, document } of documents) {
    // A file of fragments only is generated where an operation spreads them.
    if (fragmentsOf(document).length === document.definitions.length) continue;
    const target = file.replace(/\.graphql$/, '.generated.ts');
    const text = await codegen({
      schema: schemaDocument,
      documents: [{ location: file, document: withFragments(document, fragments) }],
      filename: target,
      plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
      pluginMap: { typescriptOperations, typedDocumentNode },
      config: { ...config, enumValues: enumsFrom(schema, target) },
    });
    // Enums are imported from their own file only.
    texts[target] = asTexts(text.replaceAll(/^export \{ \w+ \};\n+/gm, ''));
  }
  return texts;
}

/**
 * The operations of a generated file as texts instead of syntax trees, which urql parses at their first use: a tenth of
 * the size. Fragments are part of the texts that spread them.
 */
function asTexts(generated: string): string {
  return generated
    .replaceAll(/^export const \w+FragmentDoc = .*;\n/gm, '')
    .replaceAll(/(?<=^export const \w+Document = )\{.*\}(?= as unknown as )/gm, (tree) =>
      JSON.stringify(stripIgnoredCharacters(print(JSON.parse(tree) as DocumentNode))),
    );
}

/** The import path of each enum for a file. */
function enumsFrom(schema: GraphQLSchema, file: string): Record<string, string> {
  const path = relative(dirname(file), ENUMS)
    .replace(/^(?!\.)/, './')
    .replace(/\.ts$/, '.js');
  const names = Object.values(schema.getTypeMap())
    .filter(isEnumType)
    .map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, `${path}#${name}`]));
}

/** Files of `dashboardOperations` whose source is gone. */
export function orphans(texts: Record<string, string>): string[] {
  return globSync(`${FOLDER}/**/*.generated.ts`, { cwd: packageRoot }).filter((file) => !(file in texts));
}

function fragmentsOf(document: DocumentNode): FragmentDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
}

/** Adds the fragments of other files that a document spreads, directly or indirectly. */
function withFragments(document: DocumentNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): DocumentNode {
  const known = new Set(fragmentsOf(document).map(({ name }) => name.value));
  const definitions = [...document.definitions];
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment === undefined || known.has(name.value)) return;
        known.add(name.value);
        // The outer loop visits it too.
        definitions.push(fragment);
      },
    });
  }
  return { ...document, definitions };
}
