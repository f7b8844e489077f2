import { Field, ObjectType } from 'type-graphql';
import { wordList } from '../../platform/word-list.js';
import { STEP_ERRORS } from '../actions/step-errors.js';

@ObjectType({ description: 'Why a run or a step failed.', simpleResolvers: true })
export class RunError {
  @Field(() => String, {
    description: `A word for machines; \`http_404\` and the like where an application answered with that status.\n\n${wordList(STEP_ERRORS)}`,
  })
  code: string;

  @Field(() => String, { description: 'A sentence for people.' })
  message: string;
}
