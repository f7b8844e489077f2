import { useQuery } from 'urql';
import { useOnReturn } from '../../ui/use-on-return.js';
import { type Need } from '../editor/draft-action.js';
import { type Template, triggerNeed } from './template.js';
import { ConnectionOfTypeDocument } from './templates.generated.js';

/** The application whose events the template starts with, while the account has no connection to it. */
export function useMissingNeed(template: Template | undefined): Need | undefined {
  const need = template && triggerNeed(template);
  const [{ data }, ask] = useQuery({
    query: ConnectionOfTypeDocument,
    variables: { type: need?.type ?? '' },
    pause: need === undefined,
    requestPolicy: 'cache-and-network',
  });
  useOnReturn(() => need && ask({ requestPolicy: 'network-only' }));
  return data?.integrations.items.length === 0 ? need : undefined;
}
