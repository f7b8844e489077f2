import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Why a run or a step failed.', simpleResolvers: true })
export class RunError {
  @Field(() => String, { description: 'A word for machines, e.g. `timeout`.' })
  code: string;

  @Field(() => String, { description: 'A sentence for people.' })
  message: string;
}
