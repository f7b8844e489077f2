import { IsOptional, Max, Min } from 'class-validator';
import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { validationError } from '../../errors.js';
import { fromPublicId, type IdPrefix, MAX_UUID, MIN_UUID } from '../../ids/ids.js';

/** The default page size. */
export const PAGE_SIZE = 20;

@ObjectType({ description: 'The position of a page in its list.', simpleResolvers: true })
export class PageMeta {
  @Field(() => Int, { description: 'The total number of items. Runs and deliveries are counted up to 10,000.' })
  total: number;

  @Field(() => Boolean, { description: 'Whether there are more items than `total`, which is 10,000 then.' })
  totalCapped: boolean;

  @Field(() => Int, { description: 'The page, counted from 1. It is 1 for a page asked for with `after`.' })
  page: number;

  @Field(() => Int, { description: 'The maximum number of items of a page.' })
  perPage: number;

  @Field(() => ID, {
    nullable: true,
    description: 'The id to send as `after` for the next page. Null on the last page.',
  })
  next: string | null;
}

/** The page arguments of every list: `page` ≥ 1, `perPage` 1–100; `after` in place of a page. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 1, description: 'The page, counted from 1.' })
  @Min(1, { message: 'must be at least 1' })
  page: number;

  @Field(() => Int, { defaultValue: PAGE_SIZE, description: 'Items per page, 1 to 100.' })
  @Min(1, { message: 'must be at least 1' })
  @Max(100, { message: 'must be at most 100' })
  perPage: number;

  @Field(() => ID, {
    nullable: true,
    description:
      'The id of the last item that the client has. The page starts with the item after it in the order of the list, even if the item with this id was deleted. While other items are created or deleted, no item is repeated or skipped. Not together with `page`.',
  })
  @IsOptional()
  after?: string | null;
}

/** The rows of a list that are read: a page, or those between two places. */
export interface Span {
  page: number;
  perPage: number;
  /** The id behind which the rows begin. */
  after?: string | null;
  /** The id before which the rows end. */
  before?: string | null;
  /** Whether the last `perPage` of the rows are read instead of the first. */
  fromEnd?: boolean;
}

/** One page of a list, and its position. */
export interface Page<T> {
  items: T[];
  meta: PageMeta;
}

/** Lists of millions of rows are counted up to here only; a larger total is shown as this number. */
export const COUNT_LIMIT = 10_000;

/** `OFFSET` of a page: at most (2^31 − 1) · 100, so it fits PostgreSQL's bigint. */
export function offsetOf({ page, perPage }: Span): number {
  return (page - 1) * perPage;
}

/** `LIMIT` of a page: one row more than it has, to know whether any follows. */
export function limitOf({ perPage }: Span): number {
  return perPage + 1;
}

/**
 * The UUID behind which a page of `prefix` rows begins; null for one that is counted.
 * @throws AppError `validation_error` for an `after` that is no such id, or beside a page.
 */
export function placeOf({ after, page }: Span, prefix: IdPrefix): string | null {
  if (after == null) return null;
  demandFirstPage(page);
  return placeIn('after', after, prefix);
}

/** The UUIDs between which the rows of a span are, newest first. @throws AppError as `placeOf` does. */
export function placesOf(span: Span, prefix: IdPrefix): { after: string; before: string } {
  const before = span.before == null ? MIN_UUID : placeIn('before', span.before, prefix);
  return { after: placeOf(span, prefix) ?? MAX_UUID, before };
}

function placeIn(field: string, id: string, prefix: IdPrefix): string {
  const uuid = fromPublicId(prefix, id);
  if (uuid === undefined) throw validationError({ field, message: `must be an id that begins with ${prefix}_` });
  return uuid;
}

/** The order in which the rows of a span are read, by an id that descends in the list. */
export function orderOf({ fromEnd }: Span): 'ASC' | 'DESC' {
  return fromEnd ? 'ASC' : 'DESC';
}

/** A page behind this many rows is distant: PostgreSQL reads all rows before it. */
export const FAR_ROWS = 10_000;

/** Whether a page is so distant that reading it is expensive. */
export function isFar(args: Span): boolean {
  return offsetOf(args) > FAR_ROWS;
}

/** @throws AppError `validation_error` for a page beside `after`. */
export function demandFirstPage(page: number): void {
  if (page !== 1) throw validationError({ field: 'page', message: 'cannot be combined with after' });
}

/**
 * Combines the rows of `limitOf`, as they were read, and the count of a list. A count beyond `upTo` means that it was not
 * finished. `idOf` returns what `after` takes. `next` is not null if there are more rows in the direction of reading.
 */
export function toPage<T>(
  rows: readonly T[],
  counted: number,
  { page, perPage, fromEnd }: Span,
  idOf: (row: T) => string,
  upTo = Infinity,
): Page<T> {
  const read = rows.slice(0, perPage);
  const next = rows.length > perPage ? idOf(rows[Math.max(0, perPage - 1)]!) : null;
  const items = fromEnd ? read.reverse() : read;
  return { items, meta: { total: Math.min(counted, upTo), totalCapped: counted > upTo, page, perPage, next } };
}

/** The page of a list that is known to be empty. @throws AppError as `placeOf` does. */
export function emptyPage(args: Span, prefix: IdPrefix): Page<never> {
  placesOf(args, prefix);
  return toPage<never>([], 0, args, () => '');
}
