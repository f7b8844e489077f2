import { AsyncLocalStorage } from 'node:async_hooks';

/** The kinds of authors of a change. `service`: no caller made it. */
export type AuthorKind = 'user' | 'api_key' | 'connect_session' | 'command' | 'service';

/** The author of a change: the uuid of its row, or the words of a command. */
export interface Author {
  kind: AuthorKind;
  uuid: string | null;
  name: string | null;
}

/** Where a call chain began: a request, or a command of the shell. */
interface Origin {
  address: () => string | null;
  author: Author | undefined;
}

const SERVICE: Author = { kind: 'service', uuid: null, name: null };
const origins = new AsyncLocalStorage<Origin>();

/** Runs the work of one request. `address` returns that of its client, and is called only for a change. */
export function asRequest<T>(address: () => string, run: () => T): T {
  return origins.run({ address, author: undefined }, run);
}

/** Runs a command of the shell, e.g. `keys create`. */
export function asCommand<T>(name: string, run: () => T): T {
  return origins.run({ address: () => null, author: { kind: 'command', uuid: null, name } }, run);
}

/** From now on the changes of the current request are those of this author. Outside of a request it has no effect. */
export function attributeTo(author: Author): void {
  const origin = origins.getStore();
  if (origin !== undefined) origin.author = author;
}

/** The author of the current call chain and the address of its client, null without one. */
export function currentOrigin(): { author: Author; address: string | null } {
  const origin = origins.getStore();
  return { author: origin?.author ?? SERVICE, address: origin?.address() ?? null };
}
