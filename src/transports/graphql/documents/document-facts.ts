import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { type Amount, amountIn, combined, remembered, type Variables } from './amount.js';
import { argumentsOf, costOf, declared } from './declared-costs.js';
import { introspectedSize, OF_TYPES } from './introspected-sizes.js';
import { literal, pageSize } from './page-sizes.js';
import { variableBytes } from './variable-bytes.js';
import { sizeWeight, weightOf } from './weights.js';

/** The cost of one operation; a fragment counts at each place where it is spread. */
export interface OperationFacts {
  node: OperationDefinitionNode;
  /** The declared variables with their default values, used where a request omits them; undefined without one. */
  defaults: ReadonlyMap<string, unknown>;
  depth: number;
  aliases: number;
  rootFields: number;
  selections: number;
  nodes: Amount;
  /** The same with the longest lists that have no page size. */
  objects: Amount;
  /** The fields of all these objects, and so of what links to one object lead to. */
  values: Amount;
  weight: Amount;
  /** Total size of the variables, counted once for each use. */
  variableBytes: Amount;
}

/** The measurements of a document, taken before it is validated. */
export interface DocumentFacts {
  operations: readonly OperationFacts[];
  /** The mutations named in any of its operations, whichever one is executed; `__typename` can be one of them. */
  mutations: ReadonlySet<string>;
  /** A `@skip` or `@include` on the way to the root field of a subscription. */
  leftOut: DirectiveNode | undefined;
}

const INTROSPECTION: Readonly<Record<string, string>> = { __schema: '__Schema', __type: '__Type' };

type Parent = GraphQLNamedType | undefined | null;

interface Cost {
  depth: number;
  aliases: number;
  fields: number;
  selections: number;
  nodes: Amount;
  /** The same with the longest lists that have no page size. */
  objects: Amount;
  /** The fields of all these objects, and so of what links to one object lead to. */
  values: Amount;
  /** Weight of the field on one object of its parent, and of the fields below it on all of its objects. */
  each: Amount;
  /** Weight that is the same for one object and for many. */
  once: number;
  bytes: Amount;
}

const NOTHING: Cost = {
  depth: 0,
  aliases: 0,
  fields: 0,
  selections: 0,
  nodes: 0,
  objects: 0,
  values: 0,
  each: 0,
  once: 0,
  bytes: 0,
};

/**
 * Measures a document for limits, rates and scopes in one walk: each selection is visited once, however often its
 * fragment is spread. Accepts invalid documents too: unknown parts count as nothing.
 */
export function measure(schema: GraphQLSchema, document: DocumentNode): DocumentFacts {
  return new Meter(schema, document).facts();
}

class Meter {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly known = new Map<string, Cost>();
  private readonly mutations = new Set<string>();
  private leftOut: DirectiveNode | undefined;
  /** The selection under measurement is on all types of the schema. */
  private isOnAllTypes = false;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  facts(): DocumentFacts {
    const operations: OperationFacts[] = [];
    for (const definition of this.document.definitions) {
      if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(this.operation(definition));
    }
    return { operations, mutations: this.mutations, leftOut: this.leftOut };
  }

  private operation(node: OperationDefinitionNode): OperationFacts {
    const root = this.schema.getRootType(node.operation);
    const { fields, each, once, bytes, ...cost } = this.selections(node.selectionSet.selections, root);
    const size = combined(cost.objects, cost.values, (objects, values) => sizeWeight(fields, objects, values));
    const weight = combined(size, each, (whole, parts) => whole + once + Math.floor(parts));
    return { ...cost, node, defaults: defaultsOf(node), rootFields: fields, weight, variableBytes: bytes };
  }

  private selections(selections: readonly SelectionNode[], parent: Parent): Cost {
    return selections.map((selection) => this.selection(selection, parent)).reduce(add, NOTHING);
  }

  private selection(selection: SelectionNode, parent: Parent): Cost {
    if (parent === this.schema.getSubscriptionType()) this.leftOut ??= selection.directives?.find(leavesOut);
    if (selection.kind === Kind.FIELD) return this.field(selection, parent);
    const inner =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? this.fragment(selection.name.value)
        : this.selections(
            selection.selectionSet.selections,
            selection.typeCondition ? this.schema.getType(selection.typeCondition.name.value) : parent,
          );
    return { ...inner, selections: inner.selections + 1 };
  }

  private fragment(name: string): Cost {
    const key = this.isOnAllTypes ? `${name} on all types` : name;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // A cycle of fragments, which validation refuses, ends here.
    this.known.set(key, NOTHING);
    const fragment = this.fragments.get(name);
    if (fragment === undefined) return NOTHING;
    const { nodes, objects, values, each, bytes, ...rest } = this.selections(
      fragment.selectionSet.selections,
      this.schema.getType(fragment.typeCondition.name.value),
    );
    const cost = {
      ...rest,
      nodes: remembered(nodes),
      objects: remembered(objects),
      values: remembered(values),
      each: remembered(each),
      bytes: remembered(bytes),
    };
    this.known.set(key, cost);
    return cost;
  }

  private field(field: FieldNode, parent: Parent): Cost {
    const name = field.name.value;
    if (parent === this.schema.getMutationType()) this.mutations.add(name);
    const definition = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    const introspected = INTROSPECTION[name];
    const type = introspected ? this.schema.getType(introspected) : definition && getNamedType(definition.type);
    const wasOnAllTypes = this.isOnAllTypes;
    this.isOnAllTypes ||= name === 'types' && parent?.name === '__Schema';
    const inner = this.selections(field.selectionSet?.selections ?? [], type);
    this.isOnAllTypes = wasOnAllTypes;
    const cost = costOf(definition);
    const given = argumentsOf(field, definition);
    const listed = parent?.name.startsWith('__') ? introspectedSize(this.schema, name) : undefined;
    const asked = listed === undefined ? pageSize(field, definition) : Math.ceil(listed.mean);
    const page = asked ?? declared(cost.items, given);
    const most = listed === undefined ? page : this.isOnAllTypes ? listed.mean : listed.most;
    const ofType = this.isOnAllTypes ? OF_TYPES : 1;
    const own = combined(declared(cost.each, given) ?? 0, weightOf(field), plus);
    return {
      // The standard introspection query is deeper than the limit.
      depth: name.startsWith('__') ? 0 : inner.depth + 1,
      aliases: inner.aliases + (field.alias ? 1 : 0),
      fields: 1,
      selections: inner.selections + 1,
      nodes: paged(asked, inner.nodes),
      objects: paged(page, inner.objects),
      values: combined(times(name === 'ofType' ? ofType : most, inner.values), 1, plus),
      each: combined(times(page, inner.each), own, plus),
      once: inner.once + (cost.once ?? 0),
      bytes: combined(inner.bytes, variableBytes(field), plus),
    };
  }
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, unknown> {
  return new Map(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue === undefined ? undefined : defaultIn(defaultValue),
    ]),
  );
}

function defaultIn(value: ValueNode): unknown {
  return value.kind === Kind.LIST || value.kind === Kind.OBJECT ? valueFromASTUntyped(value) : literal(value);
}

function leavesOut({ name }: DirectiveNode): boolean {
  return name.value === 'skip' || name.value === 'include';
}

/** What a list of `size` objects counts, each of which counts `inner`. */
function paged(size: Amount | undefined, inner: Amount): Amount {
  return size === undefined ? inner : combined(size, inner, (count, each) => count * Math.max(1, each));
}

/** What each object of a list of `size` objects has, on all of them. */
function times(size: Amount | undefined, each: Amount): Amount {
  return size === undefined ? each : combined(size, each, (a, b) => a * b);
}

function plus(a: number, b: number): number {
  return a + b;
}

function add(a: Cost, b: Cost): Cost {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    fields: a.fields + b.fields,
    selections: a.selections + b.selections,
    nodes: combined(a.nodes, b.nodes, plus),
    objects: combined(a.objects, b.objects, plus),
    values: combined(a.values, b.values, plus),
    each: combined(a.each, b.each, plus),
    once: a.once + b.once,
    bytes: combined(a.bytes, b.bytes, plus),
  };
}

/** The operation that a request with this `operationName` executes; undefined if there is none, or several. */
export function operationIn({ operations }: DocumentFacts, name: unknown): OperationFacts | undefined {
  if (typeof name === 'string') return operations.find(({ node }) => node.name?.value === name);
  return operations.length === 1 ? operations[0] : undefined;
}

/** The variables that an operation declares, from a request or by default: a request may have thousands of others. */
export function variablesOf({ defaults }: OperationFacts, given: Variables): Variables {
  const variables = Object.create(null) as Record<string, unknown>;
  for (const [name, usual] of defaults) {
    if (Object.hasOwn(given, name)) variables[name] = given[name];
    else if (usual !== undefined) variables[name] = usual;
  }
  return variables;
}

/** The values that an operation may have in its result, with the variables of a request. */
export function valuesIn(operation: OperationFacts, given: Variables): number {
  return Math.ceil(amountIn(operation.values, variablesOf(operation, given)));
}

/** The weight of an operation for the rate limit, with the variables of a request. */
export function weightIn(operation: OperationFacts, given: Variables): number {
  return amountIn(operation.weight, variablesOf(operation, given));
}

/** The bytes of its variables, counted once for each use. */
export function variableBytesIn(operation: OperationFacts, given: Variables): number {
  return amountIn(operation.variableBytes, variablesOf(operation, given));
}
