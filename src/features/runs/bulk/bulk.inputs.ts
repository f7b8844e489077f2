import { ArgsType, Field } from 'type-graphql';
import { RetryFrom } from '../control/retry-from.js';
import { RunSelection } from '../run.inputs.js';

/** The runs of a retry, and where the new runs begin. */
@ArgsType()
export class RetryRunsArgs extends RunSelection {
  @Field(() => RetryFrom, {
    nullable: true,
    defaultValue: RetryFrom.FAILED_STEP,
    description:
      'Where the new runs begin. `FAILED_STEP` retries failed and canceled runs, `START` every run that has ended.',
  })
  from?: RetryFrom | null;
}
