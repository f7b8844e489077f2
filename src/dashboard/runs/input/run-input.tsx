import { Skeleton } from '@mantine/core';
import { useQuery } from 'urql';
import { ErrorState } from '../../ui/pages/error-state.js';
import { JsonView } from '../../ui/json/json-view.js';
import { RunInputDocument } from '../run.generated.js';

/** The input of a run; it never changes, so it is fetched once. */
export function RunInput({ id }: { id: string }) {
  const [{ data, error }, execute] = useQuery({
    query: RunInputDocument,
    variables: { id },
    requestPolicy: 'cache-first',
  });
  if (data != null) return <JsonView value={data.run.input} label="Input of the run" />;
  if (error === undefined) return <Skeleton height={92} radius="sm" aria-hidden />;
  return <ErrorState error={error} onRetry={() => execute({ requestPolicy: 'network-only' })} />;
}
