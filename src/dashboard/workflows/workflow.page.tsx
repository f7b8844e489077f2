import { type ReactNode, useEffect, useState } from 'react';
import { Outlet, useNavigate, useParams } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { faultOf } from '../graphql/request-fault.js';
import { LeaveGuard } from '../ui/forms/leave-guard.js';
import { NotThere } from '../ui/pages/not-there.js';
import { useSoon } from '../ui/use-soon.js';
import { useDraft } from './editor/use-draft.js';
import { useSave } from './editor/saving/use-save.js';
import { isReadyToTest } from './editor/begun.js';
import { type WorkflowContext, type WorkflowOfPage } from './workflow-context.js';
import { WorkflowDocument, WorkflowRunChangesDocument } from './workflow.generated.js';
import { DeletedHeader } from './header/deleted-header.js';
import { WorkflowHeader } from './header/workflow-header.js';
import { WorkflowSkeleton } from './workflow-skeleton.js';
import { WorkflowTabs } from './header/workflow-tabs.js';

/** `/workflows/:id`: its head and tabs; each id has a page of its own. */
export function WorkflowPage() {
  const { id = '' } = useParams();
  return <OneWorkflow key={id} id={id} />;
}

function OneWorkflow({ id }: { id: string }) {
  const [{ data, error }, ask] = useQuery({ query: WorkflowDocument, variables: { id } });
  const reload = (): void => ask({ requestPolicy: 'network-only' });
  // Kept after a deletion elsewhere, for the unsaved input of the page.
  const [known, setKnown] = useState(data);
  // A response without data has `null` here.
  if (data?.workflow !== undefined && data !== known) setKnown(data);
  const isGone = error !== undefined && faultOf(error).code === 'NOT_FOUND';
  const shown = isGone ? known : data;
  const missing = error && <NotThere what="workflow" all="/workflows" error={error} onRetry={reload} />;
  if (shown?.workflow !== undefined) {
    const workflow = { ...shown.workflow, firesByHand: shown.byHand.meta.total > 0 };
    return <WorkflowFrame workflow={workflow} reload={reload} gone={isGone ? missing : undefined} />;
  }
  return missing ?? <WorkflowSkeleton />;
}

/** `gone` replaces the page of a deleted workflow once nothing on it is unsaved. */
function WorkflowFrame({ workflow, reload, gone }: WorkflowFrameProps) {
  const navigate = useNavigate();
  const state = useDraft(workflow);
  const saving = useSave(workflow.id, state);
  const [testing, setTesting] = useState(() => (workflow.lastRun === null && isReadyToTest(workflow.id) ? 1 : 0));
  const [detailsDirty, setDetailsDirty] = useState(false);
  useFreshness(workflow.id, reload);
  const test = (): void => {
    setTesting(testing + 1);
    void navigate(`/workflows/${workflow.id}/actions`, { state: { keepFocus: true }, preventScrollReset: true });
  };
  if (gone !== undefined && !state.dirty && !detailsDirty) return gone;
  return (
    <>
      {gone === undefined ? (
        <WorkflowHeader workflow={workflow} onTest={test} />
      ) : (
        <DeletedHeader name={workflow.name} />
      )}
      <WorkflowTabs workflow={workflow} dirty={state.dirty} />
      <Outlet
        context={{ workflow, state, saving, setDetailsDirty, testing, setTesting, reload } satisfies WorkflowContext}
      />
      <LeaveGuard
        dirty={state.dirty || detailsDirty}
        keptInTab={state.draft.inTab && !state.changedElsewhere && !detailsDirty}
        keptBelow={`/workflows/${workflow.id}${detailsDirty ? '/settings' : ''}`}
      >
        {detailsDirty ? 'Your changes' : 'The changes to the actions'} are not saved. They are lost when you leave.
      </LeaveGuard>
    </>
  );
}

interface WorkflowFrameProps {
  workflow: WorkflowOfPage;
  reload: () => void;
  gone: ReactNode;
}

/** Fetched again when a run begins or ends, and when the user returns to the window. */
function useFreshness(workflowId: string, reload: () => void): void {
  const soon = useSoon(reload);
  useSubscription({ query: WorkflowRunChangesDocument, variables: { workflowId } }, (_, change) => {
    soon();
    return change;
  });
  useEffect(() => {
    window.addEventListener('focus', soon);
    return () => window.removeEventListener('focus', soon);
  }, [soon]);
}
