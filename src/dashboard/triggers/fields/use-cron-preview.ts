import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { faultOf } from '../../graphql/request-fault.js';
import { CronPreviewDocument } from '../choices.generated.js';

/** The service's description of an expression, fetched a moment after the last key; for a refused one the reason. */
export function useCronPreview(cron: string, timezone: string): CronPreview {
  const [asked] = useDebouncedValue(cron.trim(), 250);
  const [{ data, error, fetching, operation }] = useQuery({
    query: CronPreviewDocument,
    variables: { cron: asked, timezone: timezone || 'UTC' },
    pause: asked === '',
    requestPolicy: 'network-only',
  });
  const isAnswered = asked === cron.trim() && !fetching;
  const fault = error === undefined ? undefined : faultOf(error);
  return {
    preview: error === undefined && asked !== '' ? data?.cronPreview : undefined,
    timezone: (operation?.variables as { timezone?: string } | undefined)?.timezone ?? timezone,
    refusal: isAnswered ? (fault?.fields.cron ?? fault?.message) : undefined,
    isAnswered,
  };
}

/**
 * `timezone` belongs to the preview, which may still be the previous one; `refusal` is the message of the service after
 * a pause in typing.
 */
export interface CronPreview {
  preview: { description: string; next: readonly string[] } | undefined;
  timezone: string;
  refusal: string | undefined;
  isAnswered: boolean;
}
