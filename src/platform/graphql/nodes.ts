import { Arg, Authorized, Ctx, Field, ID, InterfaceType, Query, Resolver } from 'type-graphql';
import { type Access, RequestContext } from '../context.js';
import { columnsOf, type EntityClass } from '../db/columns.js';
import { type Database } from '../db/database.js';
import { missingRows, prefixOf, type Table } from '../db/owned-rows.js';
import { notFound, validationError } from '../errors.js';
import { fromPublicId } from '../ids/ids.js';
import { authorize } from './access.js';

const MAX_NODES = 100;

/** An object with an id of this service (https://graphql.org/learn/global-object-identification/). */
@InterfaceType({ description: 'An object with an id of this service. `node` returns it.' })
export abstract class Node {
  @Field(() => ID, { description: 'Unique in this service. Its prefix tells the type.' })
  id: string;
}

/** Where the objects of one kind come from. */
export interface NodeSource {
  /** The prefix of their ids. */
  prefix: string;
  /** The permission that they require. */
  access: Access;
  /** The objects in the order of `ids`; an error for each that the caller cannot have. */
  load(context: RequestContext, ids: readonly string[]): Promise<readonly (Node | Error)[]>;
}

/** A table whose rows are nodes. */
export interface NodeTable<T> {
  table: Table;
  entity: EntityClass<T>;
  access?: Access;
  /** The alias of the table. */
  alias?: string;
  /** The select list; by default the columns of the entity. */
  columns?: (ids: readonly string[]) => string;
  /** A further condition. */
  where?: string;
  /** Called with the rows that were read. */
  reveal?: (rows: T[]) => unknown;
}

/** The rows of a table as nodes, any number of them with one statement, and one more if any is missing. */
export function nodesOf<T extends Node & { uuid: string }>(
  db: Database,
  {
    table,
    entity,
    access = 'read',
    where,
    reveal,
    alias = 'n',
    columns = () => columnsOf(entity, alias),
  }: NodeTable<T>,
): NodeSource {
  const prefix = prefixOf(table);
  return {
    prefix,
    access,
    load: async ({ accountId }, ids) => {
      const uuids = ids.map((id) => fromPublicId(prefix, id));
      const rows = await db.select(
        entity,
        `SELECT ${columns(ids)} FROM ${table} ${alias}
         WHERE ${alias}.account_id = $1 AND ${alias}.id = ANY($2)${where ? ` AND ${where}` : ''}`,
        [accountId, uuids.filter((uuid) => uuid !== undefined)],
      );
      reveal?.(rows);
      const found = new Map(rows.map((row) => [row.uuid, row]));
      const faults = await missingRows(
        db,
        table,
        uuids.filter((uuid) => !found.has(uuid!)),
        accountId,
      );
      return uuids.map((uuid) => found.get(uuid!) ?? faults(uuid));
    },
  };
}

/** The root fields that return any object by its id. */
@Resolver()
export class NodeResolver {
  private readonly sources: ReadonlyMap<string, NodeSource>;

  constructor(sources: readonly NodeSource[]) {
    this.sources = new Map(sources.map((source) => [source.prefix, source]));
  }

  @Authorized('follow')
  @Query(() => Node, { description: 'Gets any object by its id, for clients that load objects again by themselves.' })
  async node(@Ctx() context: RequestContext, @Arg('id', () => ID) id: string): Promise<Node> {
    const [found] = await this.load(context, [id]);
    if (found instanceof Error) throw found;
    return found!;
  }

  @Authorized('follow')
  @Query(() => [Node], {
    nullable: 'items',
    description: 'Gets up to 100 objects by their ids, in that order: null and an error for each that cannot be read.',
  })
  nodes(
    @Ctx() context: RequestContext,
    @Arg('ids', () => [ID], { description: 'At most 100 ids of any types.' }) ids: string[],
  ): Promise<(Node | Error)[]> {
    if (ids.length > MAX_NODES) throw validationError({ field: 'ids', message: `must not be more than ${MAX_NODES}` });
    return this.load(context, ids);
  }

  private async load(context: RequestContext, ids: readonly string[]): Promise<(Node | Error)[]> {
    const found = new Map<string, Node | Error>();
    const byPrefix = Map.groupBy(new Set(ids), (id) => id.slice(0, id.indexOf('_')));
    for (const [prefix, some] of byPrefix) {
      const nodes = await this.ofKind(context, prefix, some);
      for (const [index, id] of some.entries()) found.set(id, nodes[index]!);
    }
    return ids.map((id) => found.get(id)!);
  }

  private async ofKind(
    context: RequestContext,
    prefix: string,
    ids: readonly string[],
  ): Promise<readonly (Node | Error)[]> {
    const source = this.sources.get(prefix);
    try {
      authorize(context.caller, source?.access ?? 'read');
      if (source === undefined) throw notFound('object');
    } catch (error) {
      return ids.map(() => error as Error);
    }
    return source.load(context, ids);
  }
}
