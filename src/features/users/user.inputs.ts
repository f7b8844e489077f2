import { ArgsType, Field } from 'type-graphql';
import { IsText } from '../../platform/validation.js';

@ArgsType()
export class UpdateProfileArgs {
  @Field(() => String, { description: '1 to 255 characters.' })
  @IsText(1, 255)
  name: string;
}
