import { type IntegrationsQuery } from '../integrations.generated.js';

type Page = IntegrationsQuery['integrations'];
type Row = Page['items'][number];

/**
 * A page of the list without the attempts that never became a connection, and those attempts. An only page counts what
 * it shows; of several pages each keeps its place, because the service counts attempts too.
 */
export function withoutAttempts(page: Page): { page: Page; attempts: readonly Row[] } {
  const attempts = page.items.filter(isAttempt);
  const items = page.items.filter((row) => !isAttempt(row));
  const { total, perPage } = page.meta;
  const isOnly = total <= perPage;
  if (!isOnly && items.length === 0) return { page, attempts: [] };
  return { page: { items, meta: { ...page.meta, total: isOnly ? total - attempts.length : total } }, attempts };
}

/** One that a workflow uses is listed: it explains why that workflow fails. */
function isAttempt({ status, connectedAt, workflows }: Row): boolean {
  return status === 'DISCONNECTED' && connectedAt === null && workflows.meta.total === 0;
}
