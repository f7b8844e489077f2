import { Button } from '@mantine/core';
import { PageSize } from './page-size.js';
import { totalText } from './paging.js';
import classes from './paging.module.css';
import { useCursor } from './use-cursor.js';

/** The place of the items in a long list, from its connection. */
export interface CursorMeta {
  startCursor: string | null;
  endCursor: string | null;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  total: number;
}

/**
 * The total with buttons to newer and older items. The place is stored in the URL, so it stays while items are added.
 * `name` is that of the list in the URL, on a page with several.
 */
export function CursorPaging({ meta, label, name }: { meta: CursorMeta; label: string; name?: string }) {
  const { isFirst, move } = useCursor(name);
  const { startCursor, endCursor, hasPreviousPage, hasNextPage, total } = meta;
  const newer = hasPreviousPage && startCursor !== null ? { before: startCursor } : undefined;
  const older = hasNextPage && endCursor !== null ? { after: endCursor } : undefined;
  return (
    <div className={classes.paging}>
      <p aria-live="polite">Total: {totalText(total)}</p>
      <PageSize total={total} label={label} />
      {(!isFirst || older !== undefined) && (
        <nav aria-label={`Pages of ${label}`} className={classes.steps}>
          <Step disabled={isFirst} onClick={() => move({})}>
            Newest
          </Step>
          <Step disabled={newer === undefined} onClick={() => move(newer ?? {})}>
            Newer
          </Step>
          <Step disabled={older === undefined} onClick={() => move(older ?? {})}>
            Older
          </Step>
        </nav>
      )}
    </div>
  );
}

function Step(props: { disabled: boolean; onClick: () => void; children: string }) {
  return <Button size="compact-sm" variant="default" {...props} />;
}
