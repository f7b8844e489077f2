import { useQuery } from 'urql';
import { Section } from '../../ui/pages/section.js';
import { JsonView } from '../../ui/json/json-view.js';
import { RunInputDocument } from '../run.generated.js';

/** The headers and the query of the post to the trigger's URL; nothing for a run that no such post fired. */
export function RunRequest({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: RunInputDocument, variables: { id }, requestPolicy: 'cache-first' });
  if (data?.run.triggerHeaders == null) return null;
  const { triggerHeaders, triggerQuery } = data.run;
  const hasQuery = Object.keys(triggerQuery ?? {}).length > 0;
  return (
    <>
      <Section title="Headers" lead={'Of the post; actions read them as {{\u00a0trigger.headers.name\u00a0}}.'}>
        <JsonView value={triggerHeaders} label="Headers of the post" />
      </Section>
      {hasQuery && (
        <Section title="Query" lead={'Of the URL; actions read it as {{\u00a0trigger.query.name\u00a0}}.'}>
          <JsonView value={triggerQuery} label="Query of the URL" />
        </Section>
      )}
    </>
  );
}
