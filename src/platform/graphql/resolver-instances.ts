import { type GraphQLSchema } from 'graphql';

type Class<T> = abstract new (...parameters: never[]) => T;

const instances = new WeakMap<GraphQLSchema, ReadonlyMap<unknown, object>>();

/** Remembers which resolver instances a schema was built over; two servers of one process have each their own. */
export function keepInstances(schema: GraphQLSchema, resolvers: ReadonlyMap<unknown, object>): void {
  instances.set(schema, resolvers);
}

/** The instance behind a schema: `subscribe` of `@Subscription` is no method and has no other way to it. */
export function instanceOf<T>(schema: GraphQLSchema, resolver: Class<T>): T {
  return instances.get(schema)!.get(resolver) as T;
}
