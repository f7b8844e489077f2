import { type GraphQLInputType } from 'graphql';

/** A variable of a document, under its REST name. */
export interface Parameter {
  name: string;
  type: GraphQLInputType;
  /** The value when the parameter is absent; undefined when there is no default. */
  default: unknown;
}
