import {
  type FieldNode,
  type FragmentDefinitionNode,
  type DocumentNode,
  getNamedType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  print,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';

/** A field of a selection, with the type that it is selected on. */
interface Selected {
  node: FieldNode;
  parent: GraphQLNamedType;
  type: GraphQLOutputType;
}

/** Selections whose fields end up in one object of the response. */
type Merged = readonly { set: SelectionSetNode; on: GraphQLNamedType }[];

interface Conflict {
  /** From the outermost field that occurs in the document more than once. */
  path: readonly string[];
  reason: string;
  nodes: readonly FieldNode[];
}

/**
 * Field Selection Merging (GraphQL, 5.3.2) with the same verdicts as graphql-js, in time linear in the selections at
 * spread fragments: graphql-js compares every pair of fields of one name. After Sangria's algorithm (Adameit, 2019):
 * within a response object all fields of a name are compared with the first. Expects an otherwise valid document.
 */
export function mergeFault(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined {
  const merging = new Merging(schema, document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const on = schema.getRootType(definition.operation)!;
    const conflict = merging.conflictIn([{ set: definition.selectionSet, on }], false);
    if (conflict !== undefined) return errorOf(conflict);
  }
  return undefined;
}

class Merging {
  private readonly fragments = new Map<string, FragmentDefinitionNode>();
  private readonly meanings = new Map<FieldNode, string>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
  ) {
    for (const definition of document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.fragments.set(definition.name.value, definition);
    }
  }

  /** The first conflict. Where fields never share an object, only their types can conflict (`byShape`). */
  conflictIn(merged: Merged, byShape: boolean): Conflict | undefined {
    for (const [name, fields] of this.fieldsOf(merged)) {
      const conflict = this.conflictOf(fields, byShape);
      if (conflict === undefined) continue;
      return fields.length === 1 && conflict.path.length > 0
        ? conflict
        : { ...conflict, path: [name, ...conflict.path] };
    }
    return undefined;
  }

  private conflictOf(fields: readonly Selected[], byShape: boolean): Conflict | undefined {
    const [first] = fields;
    const shape = shapeOf(first!.type);
    const other = fields.find(({ type }) => shapeOf(type) !== shape);
    if (other !== undefined) {
      const reason = `they return conflicting types "${String(first!.type)}" and "${String(other.type)}"`;
      return { path: [], reason, nodes: [first!.node, other.node] };
    }
    if (byShape) return this.conflictIn(selectionsOf(fields), true);
    const together = sameObjects(fields);
    for (const group of together) {
      const conflict = this.difference(group) ?? this.conflictIn(selectionsOf(group), false);
      if (conflict !== undefined) return conflict;
    }
    return together.length > 1 ? this.conflictIn(selectionsOf(fields), true) : undefined;
  }

  /** Why fields of one object can't merge: different fields, or different arguments. */
  private difference([first, ...others]: readonly Selected[]): Conflict | undefined {
    for (const { node } of others) {
      const nodes = [first!.node, node];
      const [name, otherName] = nodes.map((field) => field.name.value);
      if (name !== otherName) {
        return { path: [], reason: `"${name!}" and "${otherName!}" are different fields`, nodes };
      }
      if (this.argumentsOf(first!.node) !== this.argumentsOf(node)) {
        return { path: [], reason: 'they have differing arguments', nodes };
      }
    }
    return undefined;
  }

  private argumentsOf(field: FieldNode): string {
    let meaning = this.meanings.get(field);
    if (meaning === undefined) {
      const written = (field.arguments ?? []).map(({ name, value }) => `${name.value}: ${print(ordered(value))}`);
      this.meanings.set(field, (meaning = written.sort().join(', ')));
    }
    return meaning;
  }

  /** The fields of a response object by response name; each fragment is visited once. */
  private fieldsOf(merged: Merged): Map<string, Selected[]> {
    const found = new Map<string, Selected[]>();
    const spread = new Set<string>();
    const collect = ({ selections }: SelectionSetNode, on: GraphQLNamedType): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value;
          const field = { node: selection, parent: on, type: this.typeOf(selection, on) };
          const same = found.get(name);
          if (same === undefined) found.set(name, [field]);
          else same.push(field);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          const { typeCondition } = selection;
          collect(selection.selectionSet, typeCondition ? this.schema.getType(typeCondition.name.value)! : on);
        } else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = this.fragments.get(selection.name.value)!;
          collect(fragment.selectionSet, this.schema.getType(fragment.typeCondition.name.value)!);
        }
      }
    };
    for (const { set, on } of merged) collect(set, on);
    return found;
  }

  private typeOf({ name: { value } }: FieldNode, on: GraphQLNamedType): GraphQLOutputType {
    const meta = [TypeNameMetaFieldDef, SchemaMetaFieldDef, TypeMetaFieldDef].find(({ name }) => name === value);
    if (meta !== undefined) return meta.type;
    return (isObjectType(on) || isInterfaceType(on) ? on.getFields()[value]! : TypeNameMetaFieldDef).type;
  }
}

/**
 * Groups fields that may belong to one object: those of each object type, together with those of interfaces and unions.
 */
function sameObjects(fields: readonly Selected[]): (readonly Selected[])[] {
  if (fields.length === 1) return [fields];
  const byParent = Map.groupBy(fields, ({ parent }) => (isObjectType(parent) ? parent : undefined));
  const open = byParent.get(undefined) ?? [];
  byParent.delete(undefined);
  return byParent.size === 0 ? [open] : [...byParent.values()].map((group) => [...open, ...group]);
}

function selectionsOf(fields: readonly Selected[]): Merged {
  return fields.flatMap(({ node: { selectionSet }, type }) =>
    selectionSet === undefined ? [] : [{ set: selectionSet, on: getNamedType(type) }],
  );
}

/** The part of a type that must be equal for two fields to merge: lists, non-nulls, and for leaves the name. */
function shapeOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  return isCompositeType(named) ? String(type).replace(named.name, '{}') : String(type);
}

/** Sorts the keys of a value, so that values that differ only in key order are equal. */
function ordered(value: ValueNode): ValueNode {
  if (value.kind === Kind.LIST) return { ...value, values: value.values.map(ordered) };
  if (value.kind !== Kind.OBJECT) return value;
  const fields = value.fields.map((field) => ({ ...field, value: ordered(field.value) }));
  return { ...value, fields: fields.sort((a, b) => (a.name.value < b.name.value ? -1 : 1)) };
}

function errorOf({ path: [name, ...inner], reason, nodes }: Conflict): GraphQLError {
  const because = inner.reduceRight((text, field) => `subfields "${field}" conflict because ${text}`, reason);
  const advice = 'Use different aliases on the fields to fetch both if this was intentional.';
  return new GraphQLError(`Fields "${name!}" conflict because ${because}. ${advice}`, { nodes });
}
