import { type ReactNode } from 'react';
import classes from './filter-bar.module.css';

/** The row of search and filters above a list; it wraps on small screens. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <div role="search" className={classes.bar}>
      {children}
    </div>
  );
}
