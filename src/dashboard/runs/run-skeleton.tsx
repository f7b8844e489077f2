import { Skeleton } from '@mantine/core';
import { PageHeader } from '../ui/page-header.js';
import { StepsSkeleton } from './run-steps.js';

/** The page of a run while it is on its way. */
export function RunSkeleton() {
  return (
    <>
      <PageHeader title="Run" trail={[{ to: '/runs', label: 'Runs' }]} />
      <Skeleton height={92} radius="md" mb={28} />
      <StepsSkeleton />
    </>
  );
}
