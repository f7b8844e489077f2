import { type ReactNode, useEffect, useRef } from 'react';
import { useDocumentTitle } from '../ui/pages/use-document-title.js';
import classes from './session-frame.module.css';

/** The card of the pages for signed-out people; with `focus` a screen reader starts at its title. */
export function SessionFrame({ title, lead, focus = false, children }: SessionFrameProps) {
  useDocumentTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus, title]);
  return (
    <main className={classes.frame}>
      <div className={classes.brand}>
        <img src="/pages/icon.svg" alt="" width={30} height={30} />
        Workflow Gateway
      </div>
      <section className={classes.card}>
        <h1 ref={heading} tabIndex={focus ? -1 : undefined}>
          {title}
        </h1>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        {children}
      </section>
    </main>
  );
}

/** `focus` is for a title that replaces a form or an empty page. */
export interface SessionFrameProps {
  title: string;
  lead?: ReactNode;
  focus?: boolean;
  children: ReactNode;
}
