import { Skeleton } from '@mantine/core';
import { PageHeader } from '../ui/pages/page-header.js';
import { useDecision } from './decision/use-decision.js';
import { NoWaits } from './list/no-waits.js';
import { WaitSection } from './list/wait-section.js';
import { useLiveWaits } from './use-live-waits.js';

/** `/waits`: what runs wait for, what users can end first; live. */
export function WaitsPage() {
  const approvals = useLiveWaits('APPROVAL');
  const connections = useLiveWaits('CONNECTION');
  const callbacks = useLiveWaits('CALLBACK');
  const { decide, dialog } = useDecision();
  const all = [approvals, connections, callbacks];
  const isLoaded = all.every(({ waits, error }) => waits !== undefined || error !== undefined);
  return (
    <>
      <PageHeader title="Waiting" lead="What runs wait for. The list updates automatically." />
      {!isLoaded && <Skeleton height={180} radius="md" aria-hidden />}
      {isLoaded && all.every(({ waits }) => waits?.items.length === 0) && <NoWaits />}
      {isLoaded && (
        <>
          <WaitSection
            title="Approvals"
            lead="These runs continue once you, or another user, approve or deny."
            name="approval"
            list={approvals}
            onDecide={decide}
          />
          <WaitSection
            title="Connections"
            lead="These runs continue once an end user has connected an application. Send the user the link."
            name="connection"
            list={connections}
            onDecide={decide}
          />
          <WaitSection
            title="Callbacks"
            lead="These runs continue once another system posts to their URL."
            name="callback"
            list={callbacks}
            onDecide={decide}
          />
        </>
      )}
      {dialog}
    </>
  );
}
