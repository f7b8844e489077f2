import { useEffect } from 'react';

/** Sets the tab's title: `Workflows · Workflow Gateway`. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Workflow Gateway`;
  }, [title]);
}
