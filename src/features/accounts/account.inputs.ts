import { Field, InputType } from 'type-graphql';
import { IfGiven, IsText } from '../../platform/validation.js';

@InputType({ description: 'The settings of the account to change; those that are absent stay.' })
export class UpdateAccountInput {
  @Field(() => String, {
    nullable: true,
    description:
      '1 to 255 characters, unique in this service. `--account` of the commands `keys` and `users` takes it.',
  })
  @IfGiven()
  @IsText(1, 255)
  name?: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether new events are added to the log. Switched off, the events so far stay readable until they are 30 days old.',
  })
  @IfGiven()
  eventLog?: boolean;
}
