import { registerEnumType } from 'type-graphql';

/** The states of a workflow. Every move between them is allowed; which one a workflow may start in is `STARTING`. */
export const WorkflowStatus = { ACTIVE: 'active', DRAFT: 'draft', PAUSED: 'paused', ARCHIVED: 'archived' } as const;
export type WorkflowStatus = (typeof WorkflowStatus)[keyof typeof WorkflowStatus];

/** What a new workflow may be. */
export const STARTING: readonly WorkflowStatus[] = ['active', 'draft'];

registerEnumType(WorkflowStatus, {
  name: 'WorkflowStatus',
  description: 'Whether a workflow runs when its triggers fire.',
  valuesConfig: {
    ACTIVE: { description: 'Its triggers make runs.' },
    DRAFT: { description: 'Not run yet.' },
    PAUSED: { description: 'Not run for now.' },
    ARCHIVED: { description: 'Kept, not run.' },
  },
});
