import { Notice } from '../../ui/pages/notice.js';
import { PageHeader } from '../../ui/pages/page-header.js';

/** The header above the unsaved input of a workflow that was deleted elsewhere: no status, no actions. */
export function DeletedHeader({ name }: { name: string }) {
  return (
    <>
      <PageHeader title={name} trail={[{ to: '/workflows', label: 'Workflows' }]} />
      <Notice tone="bad" title="This workflow was deleted.">
        Your changes cannot be saved. Copy what you need before you leave.
      </Notice>
    </>
  );
}
