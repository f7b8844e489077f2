import { type WorkflowStatus } from '../graphql/enums.generated.js';
import { Link } from 'react-router';
import { type TriggerInListFragment } from './triggers.generated.js';
import { Notice } from '../ui/pages/notice.js';

const RESTS: Readonly<Record<Exclude<WorkflowStatus, 'ACTIVE'>, string>> = {
  DRAFT: 'The workflow is still a draft',
  PAUSED: 'The workflow is paused',
  ARCHIVED: 'The workflow is archived',
};

/** Explains the fate of firings while the workflow is inactive; renders nothing while it is active. */
export function WorkflowRests({ workflow: { id, name, status } }: Pick<TriggerInListFragment, 'workflow'>) {
  if (status === 'ACTIVE') return null;
  return (
    <Notice tone="warn" title={RESTS[status]}>
      Nothing runs until <Link to={`/workflows/${id}`}>“{name}”</Link> is active: until then posts and events are noted
      as skipped runs, and schedules rest.
    </Notice>
  );
}
