import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../platform/context.js';
import { jsonText, type JsonText } from '../../platform/json/json-text.js';
import { Costs } from '../../platform/graphql/field-cost.js';
import { Json, JsonObject } from '../../platform/graphql/scalars.js';
import { type StepInputs } from './step-inputs.js';
import { Step } from './step.entity.js';

@Resolver(() => Step)
export class StepResolver {
  constructor(private readonly inputs: StepInputs) {}

  @FieldResolver(() => Json, { nullable: true, description: 'What later actions read as `steps.<name>`.' })
  output(@Root() { outputText = null }: Step): JsonText | null {
    return jsonText(outputText);
  }

  @FieldResolver(() => Boolean, {
    description:
      '`output` is larger than 16 kB and therefore null in this list. `run` returns it, and so does `Run.steps(index:)` outside of lists.',
  })
  outputOmitted(@Root() { outputText, hasOutput = false }: Step): boolean {
    return outputText === null && hasOutput;
  }

  @Costs({ each: 0.05 })
  @FieldResolver(() => JsonObject, {
    nullable: true,
    description:
      'The config of its action with the placeholders filled in; the values of headers are hidden. If it is larger than 64 kB, the long parts are omitted and `truncated` is true. Null if a placeholder finds no value, or one that was cut.',
  })
  input(@Root() step: Step, @Ctx() context: RequestContext): Promise<JsonText | null> {
    return this.inputs.of(context, step);
  }
}
