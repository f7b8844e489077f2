/** Says to clients why something stored is null or cannot be used. */
export const UNREADABLE =
  'It was encrypted with a key that the service no longer has. Its operator must add that key back to ENCRYPTION_KEY.';

/** Something stored was not opened. The message is for the log: it names the key. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
