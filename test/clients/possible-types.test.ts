import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { buildSchema, isAbstractType } from 'graphql';
import { packageRoot } from '../../src/platform/package-root.js';
import { BLOCKS } from './guide.js';

it('Apollo Client gets the types of each interface and union of the schema', () => {
  const [, literal] = /possibleTypes: (\{[^}]*\})/.exec(BLOCKS.get('apollo.mjs')!)!;
  const given = runInNewContext(`(${literal})`) as Record<string, string[]>;
  const schema = buildSchema(readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8'));
  const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
  const types = abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)] as const);
  expect(Object.entries(given).sort()).toEqual(types.map(([name, objects]) => [name, [...objects].sort()]).sort());
});
