import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from 'graphql';

/** What one document may ask for, whatever the transport; fragments count where they are spread. */
export const LIMITS = { tokens: 1_000, depth: 10, aliases: 15, rootFields: 10, nodes: 5_000 } as const;

const LARGEST_PAGE = 100;
/** The arguments that say how many items a list may give. */
const SIZES: ReadonlySet<string> = new Set(['perPage', 'first']);
/** How long the lists of introspection are on average; `types` has as many as there are. Tools ask for each list once. */
const INTROSPECTED: Readonly<Record<string, number>> = {
  fields: 8,
  args: 2,
  inputFields: 6,
  enumValues: 6,
  interfaces: 1,
  possibleTypes: 2,
  directives: 4,
};
const INTROSPECTION: Readonly<Record<string, string>> = { __schema: '__Schema', __type: '__Type' };

interface Cost {
  depth: number;
  aliases: number;
  fields: number;
  nodes: number;
}

type Variables = Readonly<Record<string, unknown>>;

const NOTHING: Cost = { depth: 0, aliases: 0, fields: 0, nodes: 0 };

/** The first limit that an operation of the document breaks. Expects a valid document, so without fragment cycles. */
export function limitFault(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables = {},
): GraphQLError | undefined {
  const meter = new Meter(schema, document, variables);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const fault = faultOf(meter.operation(definition));
    if (fault !== undefined)
      return new GraphQLError(fault, {
        nodes: definition,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
      });
  }
  return undefined;
}

function faultOf({ depth, aliases, fields, nodes }: Cost): string | undefined {
  if (depth > LIMITS.depth) return `The operation is ${depth} levels deep; at most ${LIMITS.depth} are allowed.`;
  if (aliases > LIMITS.aliases) return `The operation has ${aliases} aliases; at most ${LIMITS.aliases} are allowed.`;
  if (fields > LIMITS.rootFields)
    return `The operation has ${fields} root fields; at most ${LIMITS.rootFields} are allowed.`;
  if (nodes > LIMITS.nodes) return `The operation asks for ${nodes} nodes; at most ${LIMITS.nodes} are allowed.`;
  return undefined;
}

/** Adds up what selections cost; each fragment once, so that fragments of fragments cost linear time. */
class Meter {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly known = new Map<string, Cost>();
  private defaults: Variables = {};

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  operation(operation: OperationDefinitionNode): Cost {
    this.known.clear();
    this.defaults = Object.fromEntries(
      (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue && literal(defaultValue),
      ]),
    );
    return this.selections(operation.selectionSet.selections, this.schema.getRootType(operation.operation));
  }

  private selections(selections: readonly SelectionNode[], parent: GraphQLNamedType | undefined | null): Cost {
    return selections.map((selection) => this.selection(selection, parent)).reduce(add, NOTHING);
  }

  private selection(selection: SelectionNode, parent: GraphQLNamedType | undefined | null): Cost {
    if (selection.kind === Kind.FIELD) return this.field(selection, parent);
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const on = selection.typeCondition ? this.schema.getType(selection.typeCondition.name.value) : parent;
      return this.selections(selection.selectionSet.selections, on);
    }
    const name = selection.name.value;
    let cost = this.known.get(name);
    if (cost === undefined) {
      const fragment = this.fragments.get(name)!;
      cost = this.selections(fragment.selectionSet.selections, this.schema.getType(fragment.typeCondition.name.value));
      this.known.set(name, cost);
    }
    return cost;
  }

  private field(field: FieldNode, parent: GraphQLNamedType | undefined | null): Cost {
    const definition =
      isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value] : undefined;
    const introspected = INTROSPECTION[field.name.value];
    const type = introspected ? this.schema.getType(introspected) : definition && getNamedType(definition.type);
    const inner = this.selections(field.selectionSet?.selections ?? [], type);
    const aliases = inner.aliases + (field.alias ? 1 : 0);
    // The standard introspection query is deeper than the limit.
    if (field.name.value.startsWith('__')) return { depth: 0, aliases, fields: 1, nodes: inner.nodes };
    const page = parent?.name.startsWith('__') ? this.introspectedSize(field) : this.pageSize(field, definition);
    return {
      depth: inner.depth + 1,
      aliases,
      fields: 1,
      nodes: page === undefined ? inner.nodes : page * Math.max(1, inner.nodes),
    };
  }

  /** How many items a field may give; undefined when no argument says. */
  private pageSize(field: FieldNode, definition: GraphQLField<unknown, unknown> | undefined): number | undefined {
    const argument = definition?.args.find(({ name }) => SIZES.has(name));
    if (argument === undefined) return undefined;
    const given = field.arguments?.find(({ name }) => SIZES.has(name.value))?.value;
    const size = given?.kind === Kind.VARIABLE ? this.variable(given.name.value) : given && literal(given);
    if (size === undefined) return argument.defaultValue as number;
    // A size that is no number of items is refused elsewhere; until then the largest legal one is a safe guess.
    return typeof size === 'number' && size >= 0 ? size : LARGEST_PAGE;
  }

  private introspectedSize({ name: { value } }: FieldNode): number | undefined {
    return value === 'types' ? Object.keys(this.schema.getTypeMap()).length : INTROSPECTED[value];
  }

  private variable(name: string): unknown {
    return Object.hasOwn(this.variables, name) ? this.variables[name] : this.defaults[name];
  }
}

function literal(value: ValueNode): unknown {
  return value.kind === Kind.INT ? Number(value.value) : null;
}

function add(a: Cost, b: Cost): Cost {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    fields: a.fields + b.fields,
    nodes: a.nodes + b.nodes,
  };
}
