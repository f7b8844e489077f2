import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, type GraphQLSchema, Kind } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { accessOf } from '../../src/platform/graphql/access.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { compileOperation, type Operation, viewSchema } from '../../src/transports/rest/documents.js';
import { type Route, ROUTES } from '../../src/transports/rest/routes.js';
import { isEtag } from '../../src/transports/rest/shape.js';
import { link, table } from './markdown.js';
import { plainRoutes, whoMay } from './plain-routes.js';
import { sourceFiles } from './sources.js';
import { whoHas } from './who-has.js';

/** `docs/routes.md`: from every URL to the files behind it. */
export function routesPage(schema: GraphQLSchema): string {
  const view = viewSchema(schema);
  return [
    '# Routes',
    'Every URL, who may ask for it, and where it is answered. Made by `npm run emit`; `npm run check` fails when it is stale.',
    '## REST, below `/v1`',
    table(
      ['URL', 'Who', 'Operation and document', 'Resolver', 'Test'],
      ROUTES.map((route) => restRow(view, compileOperation(view, route))),
    ),
    '## Beside REST',
    table(
      ['URL', 'Who', 'Answered by'],
      plainRoutes().map(({ method, path, file }) => [`\`${method} ${path}\``, whoMay(path), link(file)]),
    ),
    '',
  ].join('\n\n');
}

function restRow(view: GraphQLSchema, compiled: Operation): string[] {
  const { method, path, feature, operation } = compiled.route;
  const { file, methodName } = resolverOf(view, compiled);
  return [
    `\`${method} ${path}\``,
    whoHas(accessOf(compiled.rootField.name.value)!),
    link(`schema/rest/${feature}/${operation}.graphql`, operation),
    `${link(file)} \`${methodName}\``,
    testOf(compiled.route),
  ];
}

/** The resolver behind a route: for a query that selects a single link of its root field, the resolver of that link. */
function resolverOf(view: GraphQLSchema, { rootField }: Operation): { file: string; methodName: string } {
  const { queries, mutations, fieldResolvers, resolverClasses, objectTypes } = getMetadataStorage();
  const root = [...queries, ...mutations].find(({ schemaName }) => schemaName === rootField.name.value)!;
  const [selection, ...others] = (rootField.selectionSet?.selections ?? []).filter((each) => !isEtag(each));
  const isQuery = queries.some(({ schemaName }) => schemaName === root.schemaName);
  const typeOf = (resolver: unknown): string | undefined => {
    const target = resolverClasses.find((one) => one.target === resolver)?.getObjectType();
    return objectTypes.find((type) => type.target === target)?.name;
  };
  const answer = getNamedType(view.getQueryType()!.getFields()[root.schemaName]?.type)?.name;
  const link =
    isQuery && others.length === 0 && selection?.kind === Kind.FIELD
      ? fieldResolvers.find((one) => one.schemaName === selection.name.value && typeOf(one.target) === answer)
      : undefined;
  const { target, methodName } = link ?? root;
  const declaration = `export class ${(target as { name: string }).name} `;
  const file = sourceFiles('.resolver.ts').find((name) => read(name).includes(declaration));
  if (file === undefined) throw new Error(`No file declares the resolver of ${root.schemaName}.`);
  return { file, methodName };
}

/** The suite of a feature; common properties of all routes are tested elsewhere, in loops over the route table. */
function testOf({ feature }: Route): string {
  const file = `test/rest/${feature}.test.ts`;
  return existsSync(join(packageRoot, file)) ? link(file) : '';
}

function read(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}
