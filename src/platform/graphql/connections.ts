import { IsOptional, Max, Min } from 'class-validator';
import { Args, ArgsType, Authorized, Ctx, Field, ID, Info, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type Access, RequestContext } from '../context.js';
import { type Page, PAGE_SIZE, type Span } from '../db/pages/pagination.js';
import { validationError } from '../errors.js';
import { isSelected, type Selection } from './selected-fields.js';

@ArgsType()
class ConnectionArgs {
  @Field(() => Int, { nullable: true, description: 'The first items, at most 100. Default: 20, without `last`.' })
  @IsOptional()
  @Min(0, { message: 'must be at least 0' })
  @Max(100, { message: 'must be at most 100' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Only items behind this cursor, even if its item was deleted. While other items are created or deleted, no item is repeated or skipped.',
  })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: 'The last items, at most 100. Not together with `first`.' })
  @IsOptional()
  @Min(0, { message: 'must be at least 0' })
  @Max(100, { message: 'must be at most 100' })
  last?: number | null;

  @Field(() => String, { nullable: true, description: 'Only items before this cursor, even if its item was deleted.' })
  before?: string | null;
}

/** The place of a connection's items in their list. */
@ObjectType({ description: 'The place of the items of a connection in their list.', simpleResolvers: true })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are items behind these.' })
  hasNextPage: Lazy<boolean>;

  @Field(() => Boolean, { description: 'Whether there are items before these.' })
  hasPreviousPage: Lazy<boolean>;

  @Field(() => String, { nullable: true, description: 'The cursor of the first of these items; null without items.' })
  startCursor: string | null;

  @Field(() => String, { nullable: true, description: 'The cursor of the last of these items; null without items.' })
  endCursor: string | null;
}

/** A value, or a function that reads it only if it is selected. */
type Lazy<T> = T | (() => Promise<T>);

/** What a client selects of a connection. */
export interface AskedOfConnection {
  /** Whether the total is needed. */
  counts: boolean;
  /** The selection of the connection; undefined if only the number of items matters. */
  selection: Selection | undefined;
}

/** Reads a span of a list, newest first. */
export type ListReader<N, F> = (
  context: RequestContext,
  filter: F,
  span: Span,
  asked: AskedOfConnection,
) => Promise<Page<N>>;

/** Reads the id of the latest change of the account. */
export type LatestChange = (context: RequestContext) => Promise<string>;

/** The description of the field `latestChange` of a list. */
export const LATEST_CHANGE =
  'The latest change of the account that the list contains. A subscription `after` it misses no later change. Never null, even without a change so far.';

/** A list as a connection. */
export interface ConnectionOptions<N, F> {
  /** In lower case, e.g. `workflow` for the field `workflowConnection` and the type `WorkflowConnection`. */
  name: string;
  node: new () => N;
  /** The arguments that filter the list, if there are any. */
  filter?: new () => F;
  /** The permission that it requires; `read` by default. */
  access?: Access;
  /** Whether its changes can be subscribed to; then the resolver needs a `LatestChange`. */
  isLive?: true;
  /** What the list contains, e.g. `The workflows of the account, newest first.` */
  description: string;
}

/**
 * Makes the resolver of a root field for a list, after the GraphQL Cursor Connections Specification of Relay
 * (https://relay.dev/graphql/connections.htm). Cursors are ids, the same as `after` and `Link` of REST.
 */
export function connectionResolver<N extends { id: string }, F extends object>({
  name,
  node,
  filter,
  access = 'read',
  isLive,
  description,
}: ConnectionOptions<N, F>): new (list: ListReader<N, F>, latestChange?: LatestChange) => object {
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);

  @ObjectType(`${typeName}Edge`, { description: `An item of a \`${typeName}Connection\`.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: 'The place of the item in the list, for `after` and `before`.' })
    cursor: string;

    @Field(() => node, { description: 'The item.' })
    node: N;
  }

  @ObjectType(`${typeName}Connection`, { description, simpleResolvers: true })
  class Connection {
    @Field(() => [Edge], { description: 'The items, in the order of the list.' })
    edges: Edge[];

    @Field(() => PageInfo, { description: 'The place of the items in the list.' })
    pageInfo: PageInfo;

    @Field(() => Int, {
      description: 'The number of items in the whole list, counted if selected. Runs and deliveries: at most 10,000.',
    })
    totalCount: number;

    latestChange?: string;
  }
  if (isLive) Field(() => ID, { description: LATEST_CHANGE })(Connection.prototype, 'latestChange');

  @Resolver()
  class ConnectionResolver {
    constructor(
      private readonly list: ListReader<N, F>,
      private readonly latestChange?: LatestChange,
    ) {}

    @Authorized(access)
    @Query(() => Connection, { name: `${name}Connection`, description: `${description} As a connection for Relay.` })
    async connection(
      @Ctx() context: RequestContext,
      // A parameter needs a class: without filters it has the same arguments once more.
      @Args(() => filter ?? ConnectionArgs) wanted: F,
      @Args(() => ConnectionArgs) args: ConnectionArgs,
      @Info() selection: Selection,
    ): Promise<Connection> {
      const span = spanOf(args);
      const asked = { counts: isSelected(selection, 'totalCount'), selection };
      // Before the list: a change in between is told again, but none is lost.
      const change = isSelected(selection, 'latestChange') ? await this.latestChange?.(context) : undefined;
      const { items, meta } = await this.list(context, wanted, span, asked);
      const hasItems = (part: Partial<Span>) => async () => {
        const one = { page: 1, perPage: 1, ...part };
        const found = await this.list(context, wanted, one, { counts: false, selection: undefined });
        return found.items.length > 0;
      };
      return {
        edges: items.map((item) => ({ cursor: item.id, node: item })),
        pageInfo: pageInfoOf(items, span, meta.next !== null, hasItems),
        totalCount: meta.total,
        ...(change !== undefined && { latestChange: change }),
      };
    }
  }
  return ConnectionResolver;
}

function spanOf({ first, last, after, before }: ConnectionArgs): Span {
  if (first != null && last != null) throw validationError({ field: 'last', message: 'cannot be combined with first' });
  return { page: 1, perPage: last ?? first ?? PAGE_SIZE, after, before, fromEnd: last != null };
}

/** `hasMore`: in the direction of reading. What is in the other direction is read only if it is selected. */
function pageInfoOf(
  items: readonly { id: string }[],
  { after, before, fromEnd }: Span,
  hasMore: boolean,
  hasItems: (part: Partial<Span>) => () => Promise<boolean>,
): PageInfo {
  const [startCursor, endCursor] = [items.at(0)?.id ?? null, items.at(-1)?.id ?? null];
  // Without items all of the list is beyond the cursor.
  const isAhead = hasItems(startCursor === null ? {} : { before: startCursor, fromEnd: true });
  const isBehind = hasItems(endCursor === null ? {} : { after: endCursor });
  return fromEnd
    ? { hasPreviousPage: hasMore, hasNextPage: before != null && isBehind, startCursor, endCursor }
    : { hasNextPage: hasMore, hasPreviousPage: after != null && isAhead, startCursor, endCursor };
}
