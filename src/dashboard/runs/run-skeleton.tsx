import { Skeleton, Stack } from '@mantine/core';
import { PageHeader } from '../ui/pages/page-header.js';

/** The run page while it loads. */
export function RunSkeleton() {
  return (
    <>
      <PageHeader title="Run" trail={[{ to: '/runs', label: 'Runs' }]} />
      <Skeleton height={92} radius="md" mb={28} />
      <StepsSkeleton />
    </>
  );
}

/** As high as three steps. */
function StepsSkeleton() {
  return (
    <Stack gap={8} aria-hidden>
      {[0, 1, 2].map((step) => (
        <Skeleton key={step} height={50} radius="md" />
      ))}
    </Stack>
  );
}
