import { Button } from '@mantine/core';
import { useViewer } from '../../session/viewer.js';
import { notifyFault } from '../../ui/pages/notify.js';
import { useMaking } from './use-making.js';
import { IconSparkles } from '../../ui/icons/icons.js';

/** Creates an example workflow and opens it, ready to run. */
export function ExampleButton() {
  const { user } = useViewer();
  const { make, making } = useMaking();
  const create = async () => {
    const fault = await make(async (client) => {
      const { createExample } = await import('./create-example.js');
      const { id, template } = await createExample(client, user?.email ?? '');
      return { id, sample: template.sample, pending: undefined };
    });
    if (fault !== undefined) notifyFault(fault);
  };
  return (
    <Button
      variant="light"
      leftSection={<IconSparkles size={16} aria-hidden />}
      loading={making}
      onClick={() => void create()}
    >
      Create an example
    </Button>
  );
}
