import { Center, Loader } from '@mantine/core';

/** Replaces a whole page until its content is known; `label` is for screen readers. */
export function PageLoader({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="100dvh">
      <Loader size="sm" aria-label={label} />
    </Center>
  );
}
