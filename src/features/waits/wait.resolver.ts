import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { type Page, PageArgs } from '../../platform/db/pages/pagination.js';
import { isAllowed } from '../../platform/graphql/access.js';
import { Json } from '../../platform/graphql/scalars.js';
import { countsItems, isSelected, type Selection } from '../../platform/graphql/selected-fields.js';
import { type JsonText, jsonText } from '../../platform/json/json-text.js';
import { type WaitAnswering } from './answering/wait-answering.js';
import { answerPart } from './wait-columns.js';
import { Wait, WaitPage } from './wait.entity.js';
import { GetWaitArgs, WaitAnswerInput, WaitFilter } from './wait.inputs.js';
import { type WaitService } from './wait.service.js';
import { type WaitTokens, wayOf } from './wait-tokens.js';

/** Queries, the mutation and computed fields of waits. */
@Resolver(() => Wait)
export class WaitResolver {
  constructor(
    private readonly service: WaitService,
    private readonly answering: WaitAnswering,
    private readonly tokens: WaitTokens,
  ) {}

  @Authorized('read')
  @Query(() => WaitPage, {
    description: "Lists the account's waits, newest first. A wait must fit every filter that is given.",
  })
  async waits(
    @Ctx() context: RequestContext,
    @Args(() => WaitFilter) filter: WaitFilter,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: Selection,
  ): Promise<Page<Wait>> {
    const asked = { withTotal: countsItems(info), answer: answerPart('listed', info, 'items') };
    const change = isSelected(info, 'latestChange') ? { latestChange: await this.service.latestChange(context) } : {};
    return { ...(await this.service.list(context, filter, page, asked)), ...change };
  }

  @Authorized('read')
  @Query(() => Wait, {
    description: 'Gets one wait. With `wait` the response is held while it is pending, at most that many seconds.',
  })
  wait(
    @Ctx() context: RequestContext,
    @Args(() => GetWaitArgs) args: GetWaitArgs,
    @Info() info: Selection,
  ): Promise<Wait> {
    return this.service.get(context, args, answerPart('whole', info));
  }

  @Authorized('write')
  @Mutation(() => Wait, {
    description:
      'Answers a pending approval or callback. Of several answers to a wait one is taken; each further one is refused.',
  })
  answerWait(
    @Ctx() context: RequestContext,
    @Arg('id', () => ID) id: string,
    // Validated after the status of the wait.
    @Arg('answer', () => WaitAnswerInput, { description: 'The decision or the body.', validateFn: () => undefined })
    answer: WaitAnswerInput,
  ): Promise<Wait> {
    return this.answering.answer(context, id, answer);
  }

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      'The answer: the output of the step. Null without one, e.g. while pending. An approval that expired with `on_timeout` `deny` has one.',
  })
  answer(@Root() { answerText = null }: Wait): JsonText | null {
    return jsonText(answerText);
  }

  @FieldResolver(() => Boolean, {
    description: '`answer` is larger than 16 kB and therefore null in this list. `wait` returns it.',
  })
  answerOmitted(@Root() { answerText, hasAnswer = false }: Wait): boolean {
    return answerText === null && hasAnswer;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Of a callback: where to POST. Of an approval: its page, on which the decision has no name. Null for other kinds and for read-only keys, because it is enough to answer.',
  })
  url(@Root() wait: Wait, @Ctx() { caller }: RequestContext): string | null {
    return isAllowed(caller, 'write') ? wayOf(this.tokens, wait).url : null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The page on which the end user connects the application, while the wait is pending. Opening it changes nothing. Null for other kinds and for read-only keys.',
  })
  connectUrl(@Root() wait: Wait, @Ctx() { caller }: RequestContext): string | null {
    return isAllowed(caller, 'write') ? wayOf(this.tokens, wait).connectUrl : null;
  }
}
