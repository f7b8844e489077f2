import { IsOptional } from 'class-validator';
import { ArgsType, Field, ID } from 'type-graphql';
import { IsText } from '../../../platform/validation.js';
import { MAX_NAME } from '../../workflows/workflow.inputs.js';

@ArgsType()
export class DuplicateWorkflowArgs {
  @Field(() => ID, { description: 'The workflow to copy.' })
  id: string;

  @Field(() => String, {
    nullable: true,
    description: '1 to 255 characters. By default the name of the original with “ (copy)” at its end.',
  })
  @IsOptional()
  @IsText(1, MAX_NAME)
  name?: string | null;
}
