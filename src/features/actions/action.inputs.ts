import { Field, InputType } from 'type-graphql';
import { JsonObject } from '../../platform/graphql/scalars.js';
import { ActionKind, CONFIG_BY_KIND } from './action-kind.js';

/** Has no validators of its own: `validateActions` checks the list as a whole, so that each error names its index. */
@InputType({ description: 'One action of a list of actions, which is saved as a whole.' })
export class ActionInput {
  @Field(() => String, {
    description:
      '1 to 255 characters, unique in the workflow. No dots, braces or control characters, and no space at either end, so that `{{ steps.<name>.body }}` can address every action.',
  })
  name: string;

  @Field(() => ActionKind, { description: 'What the action does.' })
  kind: ActionKind;

  @Field(() => JsonObject, {
    description: `The settings of the kind. Any text in it may hold placeholders: \`{{ trigger.body.order.id }}\`, \`{{ steps.<name>.body.x }}\` of an earlier action, \`{{ run.id }}\`; \`\\{{\` is a literal \`{{\`. Unknown keys are kept and have no effect; a probable misspelling is refused. By kind:\n\n${CONFIG_BY_KIND}`,
  })
  config: Record<string, unknown>;
}
