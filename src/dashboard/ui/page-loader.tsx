import { Center, Loader } from '@mantine/core';

/** Stands in the place of a whole page until it is known what it shows; `label` tells screen readers. */
export function PageLoader({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="100dvh">
      <Loader size="sm" aria-label={label} />
    </Center>
  );
}
