import { type GraphQLSchema } from 'graphql';

type Class<T> = abstract new (...parameters: never[]) => T;

const instances = new WeakMap<GraphQLSchema, ReadonlyMap<unknown, object>>();

/** Remembers the resolver instances of a schema; two servers of one process have their own each. */
export function keepInstances(schema: GraphQLSchema, resolvers: ReadonlyMap<unknown, object>): void {
  instances.set(schema, resolvers);
}

/**
 * The resolver instance behind a schema. `subscribe` of `@Subscription` is not a method and has no other way to its
 * instance.
 */
export function instanceOf<T>(schema: GraphQLSchema, resolver: Class<T>): T {
  return instances.get(schema)!.get(resolver) as T;
}
