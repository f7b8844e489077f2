import { useQuery } from 'urql';
import { ExactTime } from '../ui/values/exact-time.js';
import { RelativeTime } from '../ui/values/relative-time.js';
import { AppOfWaitDocument, type WaitInDetailFragment } from './waits.generated.js';

/** The name of an application of the catalog; its type for one that is not there. */
export function useAppName(type: string | null): string {
  const [{ data }] = useQuery({
    query: AppOfWaitDocument,
    variables: { type: type ?? '' },
    requestPolicy: 'cache-first',
    pause: type === null,
  });
  return data?.integrationType.name ?? type ?? '';
}

/** The object of a wait, e.g. “approval of “Refund?””. */
export function WaitedFor({ wait: { kind, title, integrationType, reference } }: WaitProps) {
  const app = useAppName(integrationType);
  if (kind === 'APPROVAL') return <>approval of “{title}”</>;
  if (kind === 'CONNECTION')
    return (
      <>
        a connection to {app} with the reference “{reference}”
      </>
    );
  return <>{kind === 'CALLBACK' ? 'a callback' : 'another run'}</>;
}

/** Since when and until when a run waits. */
export function WaitTimes({ wait: { createdAt, expiresAt } }: WaitProps) {
  return (
    <>
      since <RelativeTime at={createdAt} />
      {expiresAt !== null && (
        <>
          , until <ExactTime at={expiresAt} />
        </>
      )}
    </>
  );
}

/** A wait. */
export interface WaitProps {
  wait: WaitInDetailFragment;
}
