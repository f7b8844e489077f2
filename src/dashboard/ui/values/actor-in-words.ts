import { type ActorKind } from '../../graphql/enums.generated.js';

/** The author of a change; `name` is null for a user who was removed. */
export interface ActorInWords {
  kind: ActorKind;
  name: string | null;
}

/** Within a sentence: `Ada Lovelace`, `API key “Deploy”`. */
export function actorInWords({ kind, name }: ActorInWords): string {
  if (kind === 'API_KEY') return name === null ? 'an API key' : `API key “${name}”`;
  return name ?? 'a removed user';
}

/** At the start of a sentence; `A user` for a change whose author is unknown. */
export function actorAtStart(actor: ActorInWords | null): string {
  if (actor === null) return 'A user';
  const words = actorInWords(actor);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
