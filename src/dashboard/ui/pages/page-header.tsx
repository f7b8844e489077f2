import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import classes from './page-header.module.css';
import { useDocumentTitle } from './use-document-title.js';
import { useKeptFocus } from '../use-kept-focus.js';
import { IconChevronRight } from '../icons/icons.js';

/** The header of a page: breadcrumbs (`trail`), the only `h1`, and actions; it also sets the title of the browser tab. */
export function PageHeader({ title, lead, trail = [], badge, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(heading);
  useDocumentTitle(title);
  return (
    <header className={classes.header}>
      <div className={classes.text}>
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb">
            <ol className={classes.trail}>
              {trail.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                  <IconChevronRight size={13} aria-hidden />
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className={classes.title}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {badge}
        </div>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** `lead` is one sentence; `badge` stands beside the title. */
export interface PageHeaderProps {
  title: string;
  lead?: ReactNode;
  trail?: readonly { to: string; label: string }[];
  badge?: ReactNode;
  actions?: ReactNode;
}
