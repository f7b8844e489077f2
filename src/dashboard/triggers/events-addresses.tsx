import { Stack } from '@mantine/core';
import { Section } from '../ui/section.js';
import { EventsAddress } from './events-address.js';
import { type EventSource } from './use-sources.js';

/** Where each of the applications that a trigger waits for must post its events; nothing where there is none. */
export function EventsAddresses({ sources }: { sources: readonly EventSource[] }) {
  if (sources.length === 0) return null;
  return (
    <Section title="Events">
      <Stack gap="md">
        {sources.map((source) => (
          <EventsAddress key={source.id} source={source} />
        ))}
      </Stack>
    </Section>
  );
}
