import { type ReactNode } from 'react';
import { useDocumentTitle } from '../ui/use-document-title.js';
import classes from './session-frame.module.css';

/** The one card of the pages for who is not signed in yet. */
export function SessionFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useDocumentTitle(title);
  return (
    <main className={classes.frame}>
      <div className={classes.brand}>
        <img src="/pages/icon.svg" alt="" width={30} height={30} />
        Workflow Gateway
      </div>
      <section className={classes.card}>
        <h1>{title}</h1>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        {children}
      </section>
    </main>
  );
}
