import { Skeleton } from '@mantine/core';
import { PageHeader } from '../../ui/pages/page-header.js';

/** The page of a trigger while it loads. */
export function TriggerSkeleton() {
  return (
    <>
      <PageHeader title="Trigger" trail={[{ to: '/triggers', label: 'Triggers' }]} />
      <Skeleton height={78} radius="md" mb={30} />
      <Skeleton height={240} radius="md" />
    </>
  );
}
