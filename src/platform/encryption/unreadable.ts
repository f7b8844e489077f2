/** The message for clients when a stored value is null or unusable. */
export const UNREADABLE =
  'It was encrypted with a key that the service no longer has. Its operator must add that key back to ENCRYPTION_KEY.';

/** A stored value could not be decrypted. The message is for the log: it names the key. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
