import { Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '../ui/pages/page-header.js';

/** A placeholder with the height of the page that is loading. */
export function WorkflowSkeleton() {
  return (
    <div aria-busy>
      <PageHeader title="Workflow" trail={[{ to: '/workflows', label: 'Workflows' }]} lead=" " />
      <Stack gap="md" mt={46}>
        <Skeleton height={58} radius="md" />
        <Skeleton height={58} radius="md" />
        <Skeleton height={58} radius="md" />
      </Stack>
    </div>
  );
}
