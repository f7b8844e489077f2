import { type ReactNode } from 'react';
import { type Icon } from '../icons/icon.js';
import classes from './empty-state.module.css';

/** An empty state: the reason in a sentence, and the next step. `level` is that of its heading. */
export function EmptyState({ icon: Icon, title, level = 2, children, action }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Icon size={22} stroke={1.6} aria-hidden />
      </span>
      <Heading className={classes.title}>{title}</Heading>
      {children !== undefined && <p className={classes.text}>{children}</p>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

/** `children` is the sentence, `action` the button. */
export interface EmptyStateProps {
  icon: Icon;
  title: string;
  level?: 1 | 2 | 3;
  children?: ReactNode;
  action?: ReactNode;
}
