import { useCallback, useState } from 'react';
import { useClient } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { notifyDone, notifyFault } from '../../ui/pages/notify.js';
import { auditCsv } from './audit-csv.js';
import { AuditExportDocument, type AuditEntryFactsFragment } from './audit-log.generated.js';
import { type AuditFilters } from './use-audit-filters.js';

/** The most entries of one file: it is built in the memory of the browser. */
const MAX_EXPORTED = 10_000;

/** Reads all entries that match and saves them as a CSV file. */
export function useAuditExport(filters: AuditFilters): { save: () => Promise<void>; isSaving: boolean } {
  const client = useClient();
  const [isSaving, setSaving] = useState(false);
  const save = useCallback(async () => {
    setSaving(true);
    const entries: AuditEntryFactsFragment[] = [];
    let after: string | null | undefined;
    do {
      const asked = client.query(AuditExportDocument, { ...filters, after }, { requestPolicy: 'network-only' });
      const { data, error } = await asked.toPromise();
      if (error !== undefined || data === undefined) {
        setSaving(false);
        if (error !== undefined) notifyFault(faultOf(error));
        return;
      }
      const { edges, pageInfo } = data.auditLogConnection;
      entries.push(...edges.map(({ node }) => node));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
    } while (after != null && entries.length < MAX_EXPORTED);
    download(auditCsv(entries));
    setSaving(false);
    if (after != null) notifyDone('The file has the newest 10,000 entries. Choose a time for older ones.');
  }, [client, filters]);
  return { save, isSaving };
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'audit-log.csv' });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
