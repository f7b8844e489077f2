import { Pace } from '../../../platform/admission/pace.js';
import { type StatusFollower } from '../../workflows/workflow.service.js';
import { moveTicks, SCHEDULE } from './due-triggers.js';
import { firstTickFrom, type Schedule } from './schedule-ticks.js';
import { AT_ONCE } from './tick-firings.js';

const ACTIVE = `workflow_id = $1 AND type = 'schedule' AND status = 'active'`;

/**
 * Sets the next tick of the schedules of a workflow: the first one since its activation, or none. The triggers are read
 * by a separate statement, so that it sees those that were created or changed while the transaction waited for the
 * workflow's lock.
 */
export const armSchedules: StatusFollower = async (tx, workflow, activeSince) => {
  if (activeSince === null) {
    await tx.query(`UPDATE triggers SET next_fire_at = NULL WHERE ${ACTIVE}`, [workflow]);
    return;
  }
  const schedules = await tx.query<Schedule & { uuid: string }>(
    `SELECT t.id AS uuid, ${SCHEDULE.columns} FROM triggers t ${SCHEDULE.join} WHERE ${ACTIVE}`,
    [workflow],
  );
  const pace = new Pace(AT_ONCE);
  const armed: { uuid: string; ticksFrom: Date }[] = [];
  for (const { uuid, ...schedule } of schedules) {
    if (pace.isTired) await pace.rest();
    pace.step();
    // Without a tick it is due at once: the scheduler logs why, and tries again.
    armed.push({ uuid, ticksFrom: firstTickFrom(schedule, activeSince) ?? activeSince });
  }
  if (armed.length > 0) await moveTicks(tx, armed);
};
