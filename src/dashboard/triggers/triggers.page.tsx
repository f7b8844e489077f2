import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PageHeader } from '../ui/pages/page-header.js';
import { CreateTriggerDialog } from './create-trigger.dialog.js';
import { TriggerList } from './list/trigger-list.js';
import { IconPlus } from '../ui/icons/icons.js';

/** `/triggers`: all triggers of the account, with a dialog for a new one. */
export function TriggersPage() {
  const [creating, dialog] = useDisclosure();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      New trigger
    </Button>
  );
  return (
    <>
      <PageHeader title="Triggers" lead="What makes workflows run." actions={create} />
      <TriggerList create={create} />
      <CreateTriggerDialog opened={creating} onClose={dialog.close} />
    </>
  );
}
