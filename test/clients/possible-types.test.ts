import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { buildSchema, isAbstractType, isObjectType } from 'graphql';
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

it('Apollo Client gets no key of a type whose id is that of another object', () => {
  const policies = /typePolicies: \{([\s\S]*?)\n {4}\}/.exec(BLOCKS.get('apollo.mjs')!)![1]!;
  const schema = buildSchema(readFileSync(join(packageRoot, 'schema/schema.graphql'), 'utf8'));
  // Each of these has an id of its own, but no other field by which it could be fetched.
  const own = ['Actor', 'AuditEntry', 'ConnectSession', 'Event', 'RunStatusChange', 'WaitChange'];
  const others = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isObjectType(type) &&
      'id' in type.getFields() &&
      !type.getInterfaces().some(({ name }) => name === 'Node') &&
      !own.includes(type.name),
  );
  expect(others.map(({ name }) => name)).toEqual(['AuditActor', 'AuditResource']);
  for (const { name } of others) expect(policies).toContain(`${name}: { keyFields: false }`);
});
