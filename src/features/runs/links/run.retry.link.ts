import { Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { type Database } from '../../../platform/db/database.js';
import { toPublicId } from '../../../platform/ids/ids.js';
import { Run } from '../run.entity.js';

const LATEST = `
  SELECT DISTINCT ON (t.retry_of) t.retry_of AS run, t.id AS retry FROM runs t
  WHERE t.retry_of = ANY ($2) AND t.account_id = $1 ORDER BY t.retry_of, t.id DESC`;

/** The link from a run to the run that retries it. */
@Resolver(() => Run)
export class RunRetryLink {
  constructor(private readonly db: Pick<Database, 'query'>) {}

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'The newest run that repeats this one; null without a retry.',
  })
  retriedBy(@Root() run: Run, @Ctx() context: RequestContext): Promise<string | null> {
    return context.batch(this, run.uuid, async (uuids) => {
      const rows = await this.db.query<{ run: string; retry: string }>(LATEST, [context.accountId, uuids]);
      const byRun = new Map(rows.map((row) => [row.run, toPublicId('run', row.retry)]));
      return uuids.map((uuid) => byRun.get(uuid) ?? null);
    });
  }
}
