import { type ActionKind } from '../../graphql/enums.generated.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { ACTION_KINDS } from '../action-kinds.js';
import classes from './step-timeline.module.css';

/** An action that the run has not reached: there is nothing to open. */
export function LaterRow({ name, kind }: { name: string; kind: ActionKind }) {
  const { label, icon: Icon } = ACTION_KINDS[kind];
  return (
    <li className={classes.step}>
      <h3>
        <span className={classes.row}>
          <Icon size={17} stroke={1.7} aria-hidden className={classes.icon} />
          <span className={classes.names}>
            <span className={classes.name}>{name}</span>
            <span className={classes.kind}>{label}</span>
          </span>
          <span className={classes.status}>
            <StatusBadge status="NOT_REACHED" />
          </span>
        </span>
      </h3>
    </li>
  );
}
