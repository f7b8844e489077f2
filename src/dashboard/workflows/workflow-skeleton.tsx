import { Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '../ui/page-header.js';

/** As high as the page that is on its way. */
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
