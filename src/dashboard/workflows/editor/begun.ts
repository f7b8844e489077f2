import { type SavedAction } from './draft-action.js';

/** The parts of a template that the service does not store. They stay in this tab, also after a reload. */
export interface Begun {
  /** The input to try the workflow with. */
  sample: unknown;
  /** Actions that cannot be saved until a connection is chosen. */
  pending: readonly SavedAction[] | undefined;
}

const keyOf = (workflowId: string): string => `begun:${workflowId}`;

/** Remembers them for the page of the workflow. */
export function rememberBegun(workflowId: string, begun: Begun): void {
  sessionStorage.setItem(keyOf(workflowId), JSON.stringify(begun));
}

/** Undefined if the workflow is not from a template of this tab. */
export function begunOf(workflowId: string): Begun | undefined {
  const text = sessionStorage.getItem(keyOf(workflowId));
  return text === null ? undefined : (JSON.parse(text) as Begun);
}

/** Whether the workflow is from a template of this tab, and complete. */
export function isReadyToTest(workflowId: string): boolean {
  const begun = begunOf(workflowId);
  return begun !== undefined && begun.pending === undefined;
}

/** Its actions are saved, or discarded: they do not come back. */
export function forgetPending(workflowId: string): void {
  const begun = begunOf(workflowId);
  if (begun?.pending !== undefined) rememberBegun(workflowId, { ...begun, pending: undefined });
}
