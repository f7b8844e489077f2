import { type Queryable } from '../db/database.js';
import { type ChangeFeed } from './change-feed.js';
import { type ChangeLog, type NumberedChange } from './change-log.js';
import { ChangeStream, type Course } from './change-stream.js';

/** The receiver of a stream: its account, and a function that is called if it is ended because it does not read. */
interface Follower {
  accountId: string;
  onSlowReader: () => void;
}

/**
 * A stream of changes. `plan` receives the position of the account's last change and returns the course. The listener is
 * attached before anything is read, so that no change is lost in between; it is detached if `plan` fails.
 */
export async function followChanges<C extends NumberedChange>(
  feed: ChangeFeed<C>,
  { accountId, onSlowReader }: Follower,
  plan: (position: number) => Promise<Course<C>>,
): Promise<AsyncIterableIterator<C>> {
  let stream: ChangeStream<C> | undefined;
  // Changes that arrive before the stream exists are in the table when it reads.
  const { position, detach } = await feed.listen(accountId, (change) => stream?.hear(change));
  try {
    stream = new ChangeStream(await plan(position), { onClose: detach, onSlowReader });
  } catch (error) {
    detach();
    throw error;
  }
  stream.start();
  return stream.changes;
}

/** Every change of the account after a position, without an end. */
export function courseOfAccount<C extends NumberedChange>(
  { entity, sql }: ChangeLog<C>,
  on: Queryable,
  accountId: string,
  cursor: number,
): Course<C> {
  return {
    cursor,
    placeOf: ({ position }) => position,
    matches: () => true,
    read: (position) => on.select(entity, sql.forStream, [accountId, position]),
    isOver: false,
    isLast: () => false,
  };
}
