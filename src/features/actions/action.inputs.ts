import { Field, InputType } from 'type-graphql';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { ActionKind } from './action-kind.js';

/** Has no rules of its own: `validateActions` judges the list as a whole, so that each fault carries its index. */
@InputType({ description: 'One action of a list of actions, which is saved as a whole.' })
export class ActionInput {
  @Field(() => String, {
    description:
      '1 to 255 characters, unique in the workflow, without dots, braces, control characters and space at its ends, so that `{{ steps.<name>.body }}` can address every action.',
  })
  name: string;

  @Field(() => ActionKind, { description: 'What the action does.' })
  kind: ActionKind;

  @Field(() => JsonObject, {
    description:
      'What the kind needs. Any text in it may hold placeholders: `{{ trigger.body.order.id }}`, `{{ steps.<name>.body.x }}` of an earlier action, `{{ run.id }}`; `\\{{` is a literal `{{`. Other keys are kept and ignored.',
  })
  config: Record<string, unknown>;
}
