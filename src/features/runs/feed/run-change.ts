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
  r.started_at AS "startedAt", r.finished_at AS "finishedAt"`;

/** The columns that determine a run's whole history: a run never enters a status twice. */
export interface RunHistory {
  uuid: string;
  accountId: string;
  workflowUuid: string;
  status: RunStatus;
  version: number;
  startedAt: Date | null;
  finishedAt: Date | null;
}

/** Converts a change from the form in which processes exchange it. */
export function changeOf({ run, account, workflow, from, to, version, at }: RunChange): RunStatusChange {
  const of = { runUuid: run, workflowUuid: workflow, accountId: account };
  return Object.assign(new RunStatusChange(), { ...of, previousStatus: from, status: to, version, at: new Date(at) });
}

/**
 * All changes of a run so far, oldest first, derived from its row: queued, then running if it started, then its end.
 */
export function changesOf(row: RunHistory): RunStatusChange[] {
  const { uuid: runUuid, accountId, workflowUuid, status, startedAt, finishedAt } = row;
  const steps: [RunStatus, Date][] = [];
  if (status === 'skipped') steps.push(['skipped', timeOf(runUuid)]);
  else {
    steps.push(['queued', timeOf(runUuid)]);
    if (startedAt !== null) steps.push(['running', startedAt]);
    if (isFinished(status)) steps.push([status, finishedAt ?? timeOf(runUuid)]);
  }
  return steps.map(([to, at], place) =>
    Object.assign(new RunStatusChange(), {
      runUuid,
      accountId,
      workflowUuid,
      previousStatus: steps[place - 1]?.[0] ?? null,
      status: to,
      version: place + 1,
      at,
    }),
  );
}

/** Compares changes by time; those of a run that happened at once, by version. */
export function inOrder(a: RunStatusChange, b: RunStatusChange): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    (a.runUuid === b.runUuid ? a.version - b.version : a.runUuid < b.runUuid ? -1 : 1)
  );
}
