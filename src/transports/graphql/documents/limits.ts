import { type ASTNode, GraphQLError } from 'graphql';
import { amountIn, type Variables } from './amount.js';
import { type DocumentFacts, operationIn, type OperationFacts, variablesOf } from './document-facts.js';

/**
 * The limits of one document on any transport; a fragment counts at each place where it is spread. `selections` bounds
 * the work of checks that visit each of those places, such as field merging.
 */
export const LIMITS = {
  tokens: 1_000,
  depth: 10,
  aliases: 15,
  rootFields: 10,
  selections: 10_000,
  nodes: 5_000,
  objects: 20_000,
  values: 100_000,
  variableBytes: 1_048_576,
} as const;

/**
 * The first limit that the document breaks, checked before validation. Every operation of it is validated, but only the
 * named one is executed: the limits that depend on variables are those of that one.
 */
export function limitFault(facts: DocumentFacts, given: Variables, name?: unknown): GraphQLError | undefined {
  const { operations, leftOut } = facts;
  if (leftOut !== undefined) {
    return refusal(`The root field of a subscription can't be left out by @${leftOut.name.value}.`, leftOut);
  }
  let selections = 0;
  for (const operation of operations) {
    selections += operation.selections;
    const fault = shapeFault(operation, selections);
    if (fault !== undefined) return refusal(fault, operation.node);
  }
  const executed = operationIn(facts, name);
  const fault = executed && sizeFault(executed, variablesOf(executed, given));
  return fault === undefined ? undefined : refusal(fault, executed!.node);
}

function refusal(message: string, node: ASTNode): GraphQLError {
  return new GraphQLError(message, {
    nodes: node,
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
  });
}

/** `selections`: those of the operations before it too. */
function shapeFault({ depth, aliases, rootFields }: OperationFacts, selections: number): string | undefined {
  if (depth > LIMITS.depth) return `The operation is ${depth} levels deep; at most ${LIMITS.depth} are allowed.`;
  if (aliases > LIMITS.aliases) return `The operation has ${aliases} aliases; at most ${LIMITS.aliases} are allowed.`;
  if (rootFields > LIMITS.rootFields)
    return `The operation has ${rootFields} root fields; at most ${LIMITS.rootFields} are allowed.`;
  if (selections > LIMITS.selections)
    return `The document has ${selections} selections where its fragments are spread; at most ${LIMITS.selections} are allowed.`;
  return undefined;
}

function sizeFault(operation: OperationFacts, variables: Variables): string | undefined {
  const bytes = amountIn(operation.variableBytes, variables);
  if (bytes > LIMITS.variableBytes)
    return `The variables have ${bytes} bytes, counted wherever one is used; at most ${LIMITS.variableBytes} are allowed.`;
  const nodes = amountIn(operation.nodes, variables);
  if (nodes > LIMITS.nodes) return `The operation asks for ${nodes} nodes; at most ${LIMITS.nodes} are allowed.`;
  const objects = amountIn(operation.objects, variables);
  if (objects > LIMITS.objects)
    return `The operation asks for up to ${objects} objects, with lists that have no page size; at most ${LIMITS.objects} are allowed.`;
  const values = Math.ceil(amountIn(operation.values, variables));
  if (values > LIMITS.values)
    return `The operation asks for up to ${values} values, the fields of all its objects; at most ${LIMITS.values} are allowed.`;
  return undefined;
}
