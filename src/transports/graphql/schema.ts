import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import { buildSchemaSync, type ContainerType, type NonEmptyArray, type PubSub } from 'type-graphql';
import { keepInstances } from '../../platform/graphql/resolver-instances.js';
import { DateTime } from '../../platform/graphql/scalars.js';
import { sliceResolvers } from '../../platform/graphql/slices.js';
import { relaxRoots, semanticNonNull } from '../../platform/graphql/semantic-non-null.js';
import { OperationContext } from './documents/admitted-operations.js';
import { takeNullsAsAbsent, validateInput } from '../../platform/validation.js';
import { authChecker } from '../../platform/graphql/access.js';

/** TypeGraphQL requires a PubSub once there is a subscription; our subscriptions bring their own sources. */
const NO_PUB_SUB: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('Each subscription must name its own source.');
  },
};

/** Descriptions of the root types, which TypeGraphQL cannot set. */
const DESCRIPTIONS = {
  Query: 'Reads. Every API key may use them, a connect session those of its own connection.',
  Mutation: 'Changes. Each takes effect as a whole or not at all; a read-only key may use none.',
  Subscription: 'Streams of changes, over WebSocket or server-sent events.',
};

type ResolverClass = abstract new (...parameters: never[]) => object;

/** The executable schema over resolvers that are already wired. All transports execute it. */
export function buildGatewaySchema(resolvers: readonly object[]): GraphQLSchema {
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]));
  const container: ContainerType = { get: (someClass: ResolverClass) => instances.get(someClass) };
  const schema = buildSchemaSync({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<ResolverClass>,
    container,
    authChecker,
    validateFn: (value: unknown, _type, { context }) => {
      if (typeof value !== 'object' || value === null) return;
      if (context instanceof OperationContext) takeNullsAsAbsent(value);
      validateInput(value);
    },
    scalarsMap: [{ type: Date, scalar: DateTime }],
    pubSub: NO_PUB_SUB,
    directives: [...specifiedDirectives, semanticNonNull],
  });
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    if (root) root.description = DESCRIPTIONS[root.name as keyof typeof DESCRIPTIONS];
  relaxRoots(schema);
  sliceResolvers(schema);
  keepInstances(schema, instances);
  return schema;
}
