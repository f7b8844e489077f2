import { Extensions } from 'type-graphql';

/** The arguments of a field as a request gives them, not yet validated, with the defaults of the schema. */
export type GivenArguments = Readonly<Record<string, unknown>>;

/** A number, or a function of unvalidated arguments; for those that the field will refuse it returns the maximum. */
type Cost = number | ((given: GivenArguments) => number);

/** The cost of a field beyond that of a stored value, for the limits and the weight of a document. */
export interface FieldCost {
  /** How many objects the field can have, if no argument says so; each counts as one more node. */
  items?: Cost;
  /** The weight of each time that the field is computed: on each node of the lists around it. */
  each?: Cost;
  /** The weight of the statement that serves the field on all these nodes. */
  once?: number;
}

/** The weight of a value that is computed from a cron expression. */
export const OF_CRON: FieldCost = { each: 0.02 };

/** Declares the cost of a field; `document-facts.ts` reads it. */
export function Costs(cost: FieldCost): PropertyDecorator & MethodDecorator {
  return Extensions({ cost });
}
