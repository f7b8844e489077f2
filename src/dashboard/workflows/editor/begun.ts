import { type PendingAction } from './draft-action.js';

/** The parts of a template that the service does not store. They stay in this tab, also after a reload. */
export interface Begun {
  /** The input to try the workflow with. */
  sample: unknown;
  /** Actions that cannot be saved until a connection is chosen. */
  pending: readonly PendingAction[] | undefined;
}

const keyOf = (workflowId: string): string => `begun:${workflowId}`;

/** Remembers them for the page of the workflow. */
export function rememberBegun(workflowId: string, begun: Begun): void {
  try {
    sessionStorage.setItem(keyOf(workflowId), JSON.stringify(begun));
  } catch {
    // The tab's storage is full: the actions stay on the page until it is left.
  }
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

/** Remembers its actions as they are edited, unless they were saved or discarded. */
export function keepPending(workflowId: string, pending: readonly PendingAction[]): void {
  const begun = begunOf(workflowId);
  if (begun?.pending !== undefined) rememberBegun(workflowId, { ...begun, pending });
}

/** Its actions are saved, or discarded: they do not come back. */
export function forgetPending(workflowId: string): void {
  const begun = begunOf(workflowId);
  if (begun?.pending !== undefined) rememberBegun(workflowId, { ...begun, pending: undefined });
}
