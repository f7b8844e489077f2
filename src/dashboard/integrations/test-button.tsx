import { Button } from '@mantine/core';
import { notifyDone, notifyFault } from '../ui/pages/notify.js';
import { useAction } from '../ui/forms/use-action.js';
import { useFocusBack } from '../ui/use-focus-back.js';
import { TestIntegrationDocument } from './integration.generated.js';
import { type IntegrationDetail } from './integration-detail.js';
import { reasonInWords } from './status-reasons.js';
import { IconHeartbeat } from '../ui/icons/icons.js';

/** Tests the credentials with the application, and shows the result. */
export function TestButton({ integration: { id, type, integrationType } }: { integration: IntegrationDetail }) {
  const app = integrationType?.name ?? type;
  const { run, running } = useAction(TestIntegrationDocument);
  const button = useFocusBack(running);
  const test = async () => {
    const answer = (await run({ id }))?.testIntegration;
    if (answer === undefined) return;
    if (answer.ok) return notifyDone(`Connection works: ${app} accepted the credentials.`);
    notifyFault({ message: reasonInWords(answer.reason ?? 'conflict').sentence(app), requestId: undefined });
  };
  return (
    <Button
      ref={button}
      variant="default"
      leftSection={<IconHeartbeat size={16} aria-hidden />}
      loading={running}
      onClick={() => void test()}
    >
      Test
    </Button>
  );
}
