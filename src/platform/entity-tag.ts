import { hash } from 'node:crypto';
import { AppError } from './errors.js';

/** The description of the argument `expectedVersion`. */
export const EXPECTED_VERSION =
  'The `etag` that this change is based on. If it has changed since, the mutation changes nothing and fails with `PRECONDITION_FAILED`. Without it, the change is made in any case.';

/** A row and the time of its last change, by `changeTime`. */
interface VersionedRow {
  uuid: string;
  updatedAt: Date;
}

/** The length of a version: 96 bits of a digest. */
const LENGTH = 16;

/**
 * The entity tag of a row (RFC 9110, 8.8.3), without quotes: its version, and behind a dot the values that change without
 * a new version. Conditions of writes compare only the version, so that a run that is counted or a schedule that ticks
 * makes no client's copy stale. Each change sets a later `updatedAt`, so no version comes back, even if all values do.
 */
export function entityTag({ uuid, updatedAt }: VersionedRow, changing: readonly unknown[] = []): string {
  const digest = hash('sha256', JSON.stringify([uuid, updatedAt]), 'base64url').slice(0, LENGTH);
  return [digest, ...changing.map(String)].join('.');
}

/**
 * Demands that a row is still the one that a client has read, if the client names a version: an entity tag of it.
 * @throws AppError `precondition_failed`.
 */
export function demandVersion(expected: string | null | undefined, { etag }: { etag: string }): void {
  if (expected != null && versionOf(expected) !== versionOf(etag)) throw preconditionFailed();
}

/** The error for a version that is no longer the current one. */
export function preconditionFailed(): AppError {
  return new AppError('precondition_failed', 'It was changed since that version was read. Read it again.');
}

function versionOf(tag: string): string {
  return tag.split('.', 1)[0]!;
}
