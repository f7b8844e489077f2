import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useUrlValue } from '../../ui/tables/use-url-value.js';
import { BulkDialog } from './bulk.dialog.js';
import { BulkProgress } from './bulk-progress.js';
import { bulkFilterOf, type BulkVerb, type ListFilter } from './bulk-filter.js';
import { IconBan, IconRefresh } from '../../ui/icons/icons.js';

/** The id of the reason why the buttons are disabled. */
const WHY = 'bulk-needs-no-search';

/** Retries or cancels the runs of the list, and shows the progress of the last request. */
export function BulkActions({ filters, any }: { filters: ListFilter; any: boolean }) {
  const [verb, setVerb] = useState<BulkVerb>('retry');
  const [asking, ask] = useDisclosure();
  // In the URL, so that the progress survives a reload.
  const [bulk, setBulk] = useUrlValue('bulk');
  const filter = bulkFilterOf(filters);
  const open = (chosen: BulkVerb) => {
    setVerb(chosen);
    ask.open();
  };
  if (!any && bulk === '') return null;
  return (
    <>
      {any && (
        <Group gap="xs" mb="sm">
          <Verb isOpen={filter !== undefined} icon={IconRefresh} onClick={() => open('retry')}>
            Retry these runs
          </Verb>
          <Verb isOpen={filter !== undefined} icon={IconBan} onClick={() => open('cancel')}>
            Cancel these runs
          </Verb>
          {filter === undefined && (
            <Text size="sm" c="dimmed" id={WHY}>
              To retry or cancel runs together, remove the search first.
            </Text>
          )}
        </Group>
      )}
      {bulk !== '' && <BulkProgress key={bulk} id={bulk} onClose={() => setBulk('')} />}
      {filter !== undefined && (
        <BulkDialog verb={verb} filter={filter} opened={asking} onClose={ask.close} onBegun={setBulk} />
      )}
    </>
  );
}

interface VerbProps {
  isOpen: boolean;
  icon: typeof IconBan;
  onClick: () => void;
  children: string;
}

function Verb({ isOpen, icon: Icon, onClick, children }: VerbProps) {
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={<Icon size={15} aria-hidden />}
      onClick={isOpen ? onClick : undefined}
      data-disabled={!isOpen || undefined}
      aria-disabled={!isOpen || undefined}
      aria-describedby={isOpen ? undefined : WHY}
    >
      {children}
    </Button>
  );
}
