import { Field, ID, Int, ObjectType } from 'type-graphql';
import { timeOf, toPublicId } from '../../../platform/ids/ids.js';
import { DateTime } from '../../../platform/graphql/scalars.js';
import { isFinished, RunStatus } from '../run-status.js';
import { type RunChange } from '../queue/runs-changed.js';

@ObjectType({ description: "One change of a run's status. The creation of a run is its first change." })
export class RunStatusChange {
  runUuid: string;
  workflowUuid: string;
  accountId: string;

  @Field(() => ID, {
    simple: true,
    description: 'Begins with `rch_`. A change that is delivered again has the same id. For `after`.',
  })
  get id(): string {
    return changeId(this.runUuid, this.version);
  }

  @Field(() => RunStatus, { nullable: true, simple: true, description: 'Null for the first change.' })
  previousStatus: RunStatus | null;

  @Field(() => RunStatus, { simple: true, description: 'The status since then.' })
  status: RunStatus;

  @Field(() => Int, { simple: true, description: 'Its number among the changes of the run, from 1, without gaps.' })
  version: number;

  @Field(() => DateTime, { simple: true, description: 'When it happened.' })
  at: Date;
}

/** The public id of a change: that of its run with the version. The same each time that the change is delivered. */
export function changeId(runUuid: string, version: number): string {
  return `${toPublicId('rch', runUuid)}_${version}`;
}

/** The select list of a `RunHistory` of `runs r`. */
export const RUN_HISTORY = `r.id AS uuid, r.account_id AS "accountId", r.workflow_id AS "workflowUuid", r.status, r.version,
  r.started_at AS "startedAt", r.wait_changed_at AS "waitChangedAt", r.finished_at AS "finishedAt"`;

/** The columns that determine the history of a run that never waited, and else its beginning and its latest change. */
export interface RunHistory {
  uuid: string;
  accountId: string;
  workflowUuid: string;
  status: RunStatus;
  version: number;
  startedAt: Date | null;
  waitChangedAt: Date | null;
  finishedAt: Date | null;
}

/** Converts a change from the form in which processes exchange it. */
export function changeOf({ run, account, workflow, from, to, version, at }: RunChange): RunStatusChange {
  const of = { runUuid: run, workflowUuid: workflow, accountId: account };
  return Object.assign(new RunStatusChange(), { ...of, previousStatus: from, status: to, version, at: new Date(at) });
}

/** The status of a run before the change with this version, unless the change made it a skipped one. */
export function statusBefore(version: number): RunStatus | null {
  if (version <= 1) return null;
  if (version === 2) return 'queued';
  // From the start to the end it alternates between the two.
  return version % 2 === 1 ? 'running' : 'waiting';
}

/** Whether a run's row alone tells of the change: not of those by which it began or ceased to wait, nor of later ones. */
export function isInRow({ version, status }: Pick<RunStatusChange, 'version' | 'status'>): boolean {
  return version < 3 || (version === 3 && status !== 'waiting');
}

/**
 * The changes of a run that its row tells, oldest first: queued, then running if it started, then the latest one. Of a run
 * that has waited, those in between are stored in `late_run_changes`.
 */
export function changesOf(row: RunHistory): RunStatusChange[] {
  const { uuid: runUuid, accountId, workflowUuid, status, version: latest, startedAt, finishedAt } = row;
  const of = { runUuid, accountId, workflowUuid };
  const change = (version: number, to: RunStatus, at: Date): RunStatusChange =>
    Object.assign(new RunStatusChange(), { ...of, previousStatus: statusBefore(version), status: to, version, at });
  const created = timeOf(runUuid);
  if (status === 'skipped') return [change(1, 'skipped', created)];
  const changes = [change(1, 'queued', created)];
  if (startedAt !== null) changes.push(change(2, 'running', startedAt));
  const end = finishedAt ?? created;
  if (isFinished(status)) changes.push(change(Math.max(latest, changes.length + 1), status, end));
  else if (latest > 2) changes.push(change(latest, status, row.waitChangedAt ?? created));
  return changes;
}

/** Compares changes by time; those of a run that happened at once, by version. */
export function inOrder(a: RunStatusChange, b: RunStatusChange): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    (a.runUuid === b.runUuid ? a.version - b.version : a.runUuid < b.runUuid ? -1 : 1)
  );
}
