import { registerEnumType } from 'type-graphql';

/** The states of a workflow. Every transition is allowed; `STARTING` are the initial states. */
export const WorkflowStatus = { ACTIVE: 'active', DRAFT: 'draft', PAUSED: 'paused', ARCHIVED: 'archived' } as const;
export type WorkflowStatus = (typeof WorkflowStatus)[keyof typeof WorkflowStatus];

/** The states in which a workflow may be created. */
export const STARTING: readonly WorkflowStatus[] = ['active', 'draft'];

registerEnumType(WorkflowStatus, {
  name: 'WorkflowStatus',
  description: 'Whether a workflow runs when its triggers fire.',
  valuesConfig: {
    ACTIVE: { description: 'Its triggers start runs.' },
    DRAFT: { description: 'It does not run yet.' },
    PAUSED: { description: 'It does not run for now.' },
    ARCHIVED: { description: 'It is kept but does not run.' },
  },
});
