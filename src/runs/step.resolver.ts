import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../context.js';
import { JsonObject } from '../scalars.js';
import { type StepInputs } from './step-inputs.js';
import { Step } from './step.entity.js';

@Resolver(() => Step)
export class StepResolver {
  constructor(private readonly inputs: StepInputs) {}

  @FieldResolver(() => JsonObject, {
    nullable: true,
    description:
      "The config of its action with the placeholders filled in, and headers' values hidden. Of more than 64 kB the long parts are left out, and `truncated` is true. Null where a placeholder leads nowhere.",
  })
  input(@Root() step: Step, @Ctx() context: RequestContext): Promise<Record<string, unknown> | null> {
    return this.inputs.of(context, step);
  }
}
