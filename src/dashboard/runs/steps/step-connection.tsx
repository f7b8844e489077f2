import { Link } from 'react-router';
import { useQuery } from 'urql';
import { CopiedFact, Fact, Facts } from '../../ui/values/facts.js';
import { ConnectionOfStepDocument } from '../run.generated.js';
import { calledUrl } from './called-url.js';

/** The connection of an app request by its name, and the URL that was called; nothing once the connection is deleted. */
export function StepConnection({ id, path }: { id: string; path: string }) {
  const [{ data }] = useQuery({ query: ConnectionOfStepDocument, variables: { id }, requestPolicy: 'cache-first' });
  if (data?.integration == null) return null;
  const { name, integrationType } = data.integration;
  const url = calledUrl(integrationType?.apiBaseUrl, path);
  return (
    <Facts layout="column">
      <Fact name="Connection">
        <Link to={`/integrations/${id}`}>{name}</Link>
      </Fact>
      {url !== undefined && <CopiedFact name="URL" value={url} label="Copy URL" />}
    </Facts>
  );
}
