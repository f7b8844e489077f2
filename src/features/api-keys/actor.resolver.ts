import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Actor, ActorKind } from '../../platform/graphql/actor.js';
import { RequestContext } from '../../platform/context.js';
import { fromPublicId } from '../../platform/ids/ids.js';
import { type UserService } from '../users/user.service.js';
import { type ApiKeyService } from './api-key.service.js';

/** `Actor.name`, which needs both users and keys. */
@Resolver(() => Actor)
export class ActorResolver {
  constructor(
    private readonly users: Pick<UserService, 'names'>,
    private readonly keys: Pick<ApiKeyService, 'labels'>,
  ) {}

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The name of the user, or the label of the key. Null for a user who was removed, and unless a person asks: keys do not see users and keys.',
  })
  async name(@Root() { id, kind }: Actor, @Ctx() context: RequestContext): Promise<string | null> {
    if (context.caller.kind !== 'person') return null;
    const [owner, prefix] = kind === ActorKind.USER ? ([this.users, 'usr'] as const) : ([this.keys, 'key'] as const);
    return context.batch(owner, fromPublicId(prefix, id)!, (uuids) =>
      kind === ActorKind.USER ? this.users.names(context, uuids) : this.keys.labels(context, uuids),
    );
  }
}
