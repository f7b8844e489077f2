import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { RequestContext } from '../../../platform/context.js';
import { Costs, OF_CRON } from '../../../platform/graphql/field-cost.js';
import { DateTime, JsonObject } from '../../../platform/graphql/scalars.js';
import { NeededJson } from '../../../platform/json/json-text.js';
import { CONFIG_BY_TYPE } from '../trigger-configs.js';
import { Trigger } from '../trigger.entity.js';
import { type TriggerConfigs } from './trigger-configs.service.js';

/** The fields of a trigger that come from its config, which is read only for them. */
@Resolver(() => Trigger)
export class TriggerConfigResolver {
  constructor(private readonly configs: TriggerConfigs) {}

  @FieldResolver(() => JsonObject, {
    description: `The config as it was sent, unknown keys too. By type:\n\n${CONFIG_BY_TYPE}`,
  })
  config(@Root() trigger: Trigger, @Ctx() context: RequestContext): NeededJson | Promise<NeededJson> {
    return this.configs.of(context, trigger, ({ configText }) => new NeededJson(configText!));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why an existing secret in `config` or an existing `webhookUrl` is null: it cannot be decrypted.',
  })
  unreadable(@Root() trigger: Trigger, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.configs.of(context, trigger, ({ unreadable }) => unreadable);
  }

  @Costs(OF_CRON)
  @FieldResolver(() => String, {
    description:
      'The version of the trigger: a new text with each change, also if a field is set to the value that it has. For `expectedVersion`, and the `ETag` of REST.',
  })
  etag(@Root() trigger: Trigger, @Ctx() context: RequestContext): string | Promise<string> {
    return this.configs.of(context, trigger, ({ etag }) => etag);
  }

  @Costs(OF_CRON)
  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'The next tick of a schedule; null while the trigger or its workflow is not active.',
  })
  nextFireAt(@Root() trigger: Trigger, @Ctx() context: RequestContext): Date | null | Promise<Date | null> {
    return this.configs.of(context, trigger, ({ nextFireAt }) => nextFireAt);
  }

  @Costs(OF_CRON)
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The schedule in English words, which don’t name its time zone. Null for other types.',
  })
  scheduleInWords(@Root() trigger: Trigger, @Ctx() context: RequestContext): string | null | Promise<string | null> {
    return this.configs.of(context, trigger, ({ scheduleInWords }) => scheduleInWords);
  }
}
