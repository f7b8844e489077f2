import { useState } from 'react';
import { useClient } from 'urql';
import { faultOf, type RequestFault } from '../../graphql/request-fault.js';
import { notifyDone, notifyFault } from '../../ui/notify.js';
import { type DraftAction, type SavedAction } from './draft-action.js';
import { type Edit, faultsOf, payloadOf, plain } from './draft.js';
import { PresentActionsDocument, SaveActionsDocument } from './editor.generated.js';
import { type DraftState } from './use-draft.js';

/** Saving the draft as a whole. */
export interface Save {
  /** True once it is saved; false when it was refused, or when somebody has to be asked first. */
  save: (options?: { overwrite?: boolean }) => Promise<boolean>;
  saving: boolean;
  /** What the service has by now, where it is not what the draft began with: overwrite it, or take it over? */
  conflict: readonly SavedAction[] | undefined;
  forgetConflict: () => void;
  /** Grows with each refusal, so that the focus can go to the first fault. */
  refusals: number;
}

/** Looks first whether the actions were changed elsewhere; a fault goes to its field, any other becomes a toast. */
export function useSave(workflowId: string, { draft, change }: DraftState): Save {
  const client = useClient();
  const [saving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<readonly SavedAction[]>();
  const [refusals, setRefusals] = useState(0);
  const refuse = (faults: Extract<Edit, { type: 'faults' }>['faults']): boolean => {
    change({ type: 'faults', faults });
    setRefusals((count) => count + 1);
    return false;
  };
  const isStillOurs = async (): Promise<boolean> => {
    const policy = { requestPolicy: 'network-only' } as const;
    const { data } = await client.query(PresentActionsDocument, { id: workflowId }, policy);
    const present = data === undefined ? undefined : plain(data.workflow.actions);
    const isOurs = present === undefined || JSON.stringify(present) === draft.base;
    if (!isOurs) setConflict(present);
    return isOurs;
  };
  const send = async (): Promise<boolean> => {
    const sent = payloadOf(draft.actions);
    const { data, error } = await client.mutation(SaveActionsDocument, { id: workflowId, actions: sent });
    if (error !== undefined) return refuse(placed(faultOf(error), draft.actions));
    change({ type: 'saved', sent, actions: data?.setWorkflowActions.actions ?? sent });
    notifyDone('Actions saved.');
    return true;
  };
  const save = async ({ overwrite = false } = {}): Promise<boolean> => {
    const seen = faultsOf(draft.actions);
    if (Object.keys(seen).length > 0) return refuse(seen);
    setSaving(true);
    setConflict(undefined);
    const saved = (overwrite || (await isStillOurs())) && (await send());
    setSaving(false);
    return saved;
  };
  return { save, saving, conflict, forgetConflict: () => setConflict(undefined), refusals };
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
