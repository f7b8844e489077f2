import { Stack } from '@mantine/core';
import { Section } from '../../ui/pages/section.js';
import { EventsAddress } from './events-address.js';
import { type EventSource } from '../fields/use-sources.js';

/** The URLs for the events of all applications that a trigger waits for; renders nothing if there are none. */
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
