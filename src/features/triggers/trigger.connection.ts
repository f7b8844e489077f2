import { connectionResolver } from '../../platform/graphql/connections.js';
import { Trigger } from './trigger.entity.js';
import { TriggerFilter } from './trigger.inputs.js';

export const TriggerConnectionResolver = connectionResolver({
  name: 'trigger',
  node: Trigger,
  filter: TriggerFilter,
  description: 'Triggers of the account, newest first.',
});
