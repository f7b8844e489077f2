import { Args, Authorized, Ctx, Info, Query, Resolver } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { countsItems, type Selection } from '../../platform/graphql/selected-fields.js';
import { AuditEntry, AuditLogPage } from './audit-entry.entity.js';
import { AuditFilter } from './audit-log.inputs.js';
import { type AuditLogService } from './audit-log.service.js';

/** Only users may read the audit log, not API keys. */
@Resolver(() => AuditEntry)
export class AuditLogResolver {
  constructor(private readonly service: AuditLogService) {}

  @Authorized('person')
  @Query(() => AuditLogPage, {
    description:
      "Lists the changes of the account's settings, newest first: by whom, of what, when and from which address. Runs are not in it. An entry must fit every filter that is given. Needs a person's session.",
  })
  auditLog(
    @Ctx() context: RequestContext,
    @Args(() => AuditFilter) filter: AuditFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<AuditEntry>> {
    return this.service.list(context, filter, page, countsItems(info));
  }
}
