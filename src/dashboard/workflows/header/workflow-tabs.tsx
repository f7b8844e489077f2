import { Link, useLocation } from 'react-router';
import classes from './workflow-tabs.module.css';
import { type WorkflowOfPage } from '../workflow-context.js';

const TABS = [
  { path: 'actions', label: 'Actions' },
  { path: 'triggers', label: 'Triggers' },
  { path: 'runs', label: 'Runs' },
  { path: 'settings', label: 'Settings' },
];

/** The links to the tabs; the actions have the URL of the workflow itself. */
export function WorkflowTabs({ workflow, dirty }: { workflow: WorkflowOfPage; dirty: boolean }) {
  const { pathname } = useLocation();
  const present = TABS.find(({ path }) => pathname.endsWith(`/${path}`))?.path ?? 'actions';
  const counts: Readonly<Record<string, number>> = {
    actions: workflow.actions.length,
    triggers: workflow.triggers.meta.total,
  };
  return (
    <nav aria-label="Workflow" className={classes.tabs}>
      <ul>
        {TABS.map(({ path, label }) => (
          <li key={path}>
            <Link
              to={`/workflows/${workflow.id}/${path}`}
              state={{ keepFocus: true }}
              preventScrollReset
              aria-current={path === present ? 'page' : undefined}
              className={classes.tab}
            >
              {label}
              {counts[path] !== undefined && <span className={classes.count}>{counts[path]}</span>}
              {path === 'actions' && dirty && (
                <span className={classes.dirty} role="img" aria-label="unsaved changes" title="Unsaved changes" />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
