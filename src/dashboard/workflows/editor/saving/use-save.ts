import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { faultOf, type RequestFault } from '../../../graphql/request-fault.js';
import { notifyDone, notifyFault } from '../../../ui/pages/notify.js';
import { forgetPending } from '../begun.js';
import { type DraftAction, type SavedList } from '../draft-action.js';
import { type Edit, faultsOf, payloadOf, plain } from '../draft.js';
import { PresentActionsDocument, SaveActionsDocument } from '../editor.generated.js';
import { type DraftState } from '../use-draft.js';

type FaultsByAction = Extract<Edit, { type: 'faults' }>['faults'];

/** Saving the draft as a whole. */
export interface Save {
  /**
   * Resolves to true once the draft is saved; to false if it was refused, or after a conflict. `over`: the other user's
   * version that the save deliberately replaces.
   */
  save: (options?: { over?: SavedList | undefined }) => Promise<boolean>;
  saving: boolean;
  /** The current list of the service, if another user has changed it since the draft began. */
  conflict: SavedList | undefined;
  forgetConflict: () => void;
  /** The number of refusals; each one moves the focus to the first fault. */
  refusals: number;
}

/** Saves only a draft that is based on the current actions; faults are shown at their fields, others as a toast. */
export function useSave(workflowId: string, { draft, change }: DraftState): Save {
  const client = useClient();
  const [saving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<SavedList>();
  const [refusals, setRefusals] = useState(0);
  const refuse = (faults: FaultsByAction): boolean => {
    change({ type: 'faults', faults });
    setRefusals((count) => count + 1);
    return false;
  };
  const send = async (version: string): Promise<boolean> => {
    const actions = payloadOf(draft.actions);
    const { data, error } = await client.mutation(SaveActionsDocument, { id: workflowId, actions, version });
    if (data?.setWorkflowActions !== undefined) {
      change({ type: 'saved', sent: actions, list: data.setWorkflowActions });
      forgetPending(workflowId);
      notifyDone('Actions saved.');
      return true;
    }
    const fault = faultOf(error!);
    if (fault.code !== 'PRECONDITION_FAILED') {
      const faults = placed(fault, draft.actions);
      if (Object.keys(faults).length === 0) notifyFault(fault);
      return refuse(faults);
    }
    const theirs = await presentOf(client, workflowId);
    // Another save without changes: there is no conflict.
    const isAsItWas = theirs !== undefined && JSON.stringify(plain(theirs.actions)) === draft.base;
    if (isAsItWas) return send(theirs.actionsVersion);
    setConflict(theirs);
    return false;
  };
  const save = async ({ over }: { over?: SavedList | undefined } = {}): Promise<boolean> => {
    const seen = faultsOf(draft.actions);
    setSaving(true);
    setConflict(undefined);
    const isSendable = Object.keys(seen).length === 0;
    const saved = isSendable
      ? await send(over?.actionsVersion ?? draft.baseVersion)
      : refuse(merged(await faultsOfService(client, workflowId, draft.actions), seen));
    setSaving(false);
    return saved;
  };
  return { save, saving, conflict, forgetConflict: () => setConflict(undefined), refusals };
}

/** The current actions of the service; undefined, with a toast, if the query fails. */
async function presentOf(client: Client, id: string): Promise<SavedList | undefined> {
  const { data, error } = await client.query(PresentActionsDocument, { id }, { requestPolicy: 'network-only' });
  if (error !== undefined) notifyFault(faultOf(error));
  return data?.workflow;
}

/**
 * The service's faults of actions that cannot be saved yet, so that all are shown at once. It validates the actions
 * before it compares versions, and no list has this one. None without a response: the save is refused anyway.
 */
async function faultsOfService(client: Client, id: string, actions: readonly DraftAction[]): Promise<FaultsByAction> {
  const variables = { id, actions: payloadOf(actions), version: 'validate-only' };
  const { error } = await client.mutation(SaveActionsDocument, variables);
  return error === undefined ? {} : placed(faultOf(error), actions);
}

/** Both; at the same field those of the form, since the service did not receive the value. */
function merged(service: FaultsByAction, form: FaultsByAction): FaultsByAction {
  const keys = new Set([...Object.keys(service), ...Object.keys(form)]);
  return Object.fromEntries([...keys].map((key) => [key, { ...service[key], ...form[key] }]));
}

/** Assigns `actions.2.config.url` to the third action as `config.url`; leaves out faults without an action. */
function placed(fault: RequestFault, actions: readonly DraftAction[]): FaultsByAction {
  const faults: Record<string, Record<string, string>> = {};
  for (const [field, message] of Object.entries(fault.fields)) {
    const [, index, rest] = /^actions\.(\d+)\.(.+)$/s.exec(field) ?? [];
    const action = index === undefined ? undefined : actions[Number(index)];
    if (action !== undefined && rest !== undefined) (faults[action.key] ??= {})[rest] = message;
  }
  return faults;
}
