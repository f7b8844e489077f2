import { PageHeader } from '../ui/pages/page-header.js';
import { RunList } from './list/run-list.js';

/** `/runs`: every run of the account, newest first, as they happen. */
export function RunsPage() {
  return (
    <>
      <PageHeader title="Runs" lead="One run each time a trigger fires. The list updates automatically." />
      <RunList />
    </>
  );
}
