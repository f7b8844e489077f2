import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { type Caller } from '../context.js';
import { toPublicId } from '../ids/ids.js';

/** The kinds of callers whose changes are attributed. */
export const ActorKind = { USER: 'user', API_KEY: 'api_key' } as const;
export type ActorKind = (typeof ActorKind)[keyof typeof ActorKind];

registerEnumType(ActorKind, {
  name: 'ActorKind',
  description: 'The kind of a caller who changed something.',
  valuesConfig: {
    USER: { description: 'A person who was signed in.' },
    API_KEY: { description: 'A program with an API key.' },
  },
});

/** The author of a change. Rows store the public id alone: its prefix tells the kind. */
@ObjectType({ description: 'The user or API key that changed something.', simpleResolvers: true })
export class Actor {
  @Field(() => ID, { description: 'Begins with `usr_` or `key_`. It stays after the user was removed.' })
  readonly id: string;

  @Field(() => ActorKind, { description: 'Whether it is a user or an API key.' })
  readonly kind: ActorKind;

  constructor(id: string) {
    this.id = id;
    this.kind = id.startsWith('usr_') ? ActorKind.USER : ActorKind.API_KEY;
  }
}

/** The id that a row stores for a change by this caller; null for a connect session, whose user is unknown. */
export function actorId(caller: Caller): string | null {
  switch (caller.kind) {
    case 'person':
      return toPublicId('usr', caller.userId);
    case 'key':
      return toPublicId('key', caller.keyId);
    case 'connect_session':
      return null;
  }
}

/** The author of a change by the stored id. */
export function actorOf(id: string | null): Actor | null {
  return id === null ? null : new Actor(id);
}
