import { type ChangeFeed } from '../../../platform/changes/change-feed.js';
import { ChangeLog } from '../../../platform/changes/change-log.js';
import { waitChanged } from './record-moves.js';
import { WaitChange } from './wait-change.entity.js';

/** The numbered changes of waits. */
export const waitChanges = new ChangeLog({
  entity: WaitChange,
  table: 'wait_changes',
  counter: { table: 'wait_counters', key: 'account_id', column: 'position' },
  topic: waitChanged,
});

export type WaitFeed = ChangeFeed<WaitChange>;
