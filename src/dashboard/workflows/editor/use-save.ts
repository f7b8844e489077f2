import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { faultOf, type RequestFault } from '../../graphql/request-fault.js';
import { notifyDone, notifyFault } from '../../ui/notify.js';
import { type DraftAction, type SavedList } from './draft-action.js';
import { type Edit, faultsOf, payloadOf, plain } from './draft.js';
import { PresentActionsDocument, SaveActionsDocument } from './editor.generated.js';
import { type DraftState } from './use-draft.js';

/** Saving the draft as a whole. */
export interface Save {
  /**
   * True once it is saved; false when it was refused, or when somebody has to be asked first. `over`: what somebody
   * else has saved, and what is knowingly replaced.
   */
  save: (options?: { over?: SavedList | undefined }) => Promise<boolean>;
  saving: boolean;
  /** What the service has by now, where it is not what the draft began with: overwrite it, or take it over? */
  conflict: SavedList | undefined;
  forgetConflict: () => void;
  /** Grows with each refusal, so that the focus can go to the first fault. */
  refusals: number;
}

/** Only what was made from the present actions is saved; a fault goes to its field, any other becomes a toast. */
export function useSave(workflowId: string, { draft, change }: DraftState): Save {
  const client = useClient();
  const [saving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<SavedList>();
  const [refusals, setRefusals] = useState(0);
  const refuse = (faults: Extract<Edit, { type: 'faults' }>['faults']): boolean => {
    change({ type: 'faults', faults });
    setRefusals((count) => count + 1);
    return false;
  };
  const send = async (version: string): Promise<boolean> => {
    const actions = payloadOf(draft.actions);
    const { data, error } = await client.mutation(SaveActionsDocument, { id: workflowId, actions, version });
    if (data?.setWorkflowActions !== undefined) {
      change({ type: 'saved', sent: actions, list: data.setWorkflowActions });
      notifyDone('Actions saved.');
      return true;
    }
    const fault = faultOf(error!);
    if (fault.code !== 'CONFLICT') return refuse(placed(fault, draft.actions));
    const theirs = await presentOf(client, workflowId);
    // Another save without changes: there is no conflict.
    const isAsItWas = theirs !== undefined && JSON.stringify(plain(theirs.actions)) === draft.base;
    if (isAsItWas) return send(theirs.actionsVersion);
    setConflict(theirs);
    return false;
  };
  const save = async ({ over }: { over?: SavedList | undefined } = {}): Promise<boolean> => {
    const seen = faultsOf(draft.actions);
    if (Object.keys(seen).length > 0) return refuse(seen);
    setSaving(true);
    setConflict(undefined);
    const saved = await send(over?.actionsVersion ?? draft.baseVersion);
    setSaving(false);
    return saved;
  };
  return { save, saving, conflict, forgetConflict: () => setConflict(undefined), refusals };
}

/** What the service has by now; undefined when it can't be asked, which is told. */
async function presentOf(client: Client, id: string): Promise<SavedList | undefined> {
  const { data, error } = await client.query(PresentActionsDocument, { id }, { requestPolicy: 'network-only' });
  if (error !== undefined) notifyFault(faultOf(error));
  return data?.workflow;
}

/** `actions.2.config.url` as the fault `config.url` of the third action; what names none becomes a toast. */
function placed(fault: RequestFault, actions: readonly DraftAction[]): Record<string, Record<string, string>> {
  const faults: Record<string, Record<string, string>> = {};
  for (const [field, message] of Object.entries(fault.fields)) {
    const [, index, rest] = /^actions\.(\d+)\.(.+)$/s.exec(field) ?? [];
    const action = index === undefined ? undefined : actions[Number(index)];
    if (action !== undefined && rest !== undefined) (faults[action.key] ??= {})[rest] = message;
  }
  if (Object.keys(faults).length === 0) notifyFault(fault);
  return faults;
}
