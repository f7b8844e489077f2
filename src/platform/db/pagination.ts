import { Min, Max } from 'class-validator';
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';

/** The default page size. */
export const PAGE_SIZE = 20;

@ObjectType({ description: 'The position of a page in its list.', simpleResolvers: true })
export class PageMeta {
  @Field(() => Int, { description: 'The total number of items. Runs and deliveries are counted up to 10,000.' })
  total: number;

  @Field(() => Int, { description: 'The page, counted from 1.' })
  page: number;

  @Field(() => Int, { description: 'The maximum number of items of a page.' })
  perPage: number;
}

/** The page arguments of every list: `page` ≥ 1, `perPage` 1–100. */
@ArgsType()
export class PageArgs {
  @Field(() => Int, { defaultValue: 1, description: 'The page, counted from 1.' })
  @Min(1, { message: 'must be at least 1' })
  page: number;

  @Field(() => Int, { defaultValue: PAGE_SIZE, description: 'Items per page, 1 to 100.' })
  @Min(1, { message: 'must be at least 1' })
  @Max(100, { message: 'must be at most 100' })
  perPage: number;
}

/** One page of a list, and its position. */
export interface Page<T> {
  items: T[];
  meta: PageMeta;
}

/** Lists of millions of rows are counted up to here only; a larger total is shown as this number. */
export const COUNT_LIMIT = 10_000;

/** `OFFSET` of a page: at most (2^31 − 1) · 100, so it fits PostgreSQL's bigint. */
export function offsetOf({ page, perPage }: PageArgs): number {
  return (page - 1) * perPage;
}

/** A page behind this many rows is distant: PostgreSQL reads all rows before it. */
export const FAR_ROWS = 10_000;

/** Whether a page is so distant that reading it is expensive. */
export function isFar(args: PageArgs): boolean {
  return offsetOf(args) > FAR_ROWS;
}

/** Combines the rows and the total of a list. */
export function toPage<T>(items: T[], total: number, { page, perPage }: PageArgs): Page<T> {
  return { items, meta: { total, page, perPage } };
}
