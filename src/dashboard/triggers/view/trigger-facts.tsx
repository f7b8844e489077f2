import { Link } from 'react-router';
import { ExactTime } from '../../ui/values/exact-time.js';
import { CopiedFact, Fact, Facts } from '../../ui/values/facts.js';
import { RelativeTime } from '../../ui/values/relative-time.js';
import { type TriggerDetail } from '../trigger-detail.js';
import { type EventSource } from '../fields/use-sources.js';

/** The type of a trigger, and the objects that it belongs to. */
export function TriggerFacts({ trigger, source }: { trigger: TriggerDetail; source: EventSource | undefined }) {
  const { id, type, workflow, lastRun, nextFireAt, createdAt } = trigger;
  return (
    <Facts>
      <Fact name="Workflow">
        <Link to={`/workflows/${workflow.id}`}>{workflow.name}</Link>
      </Fact>
      {source !== undefined && (
        <Fact name="Connection">
          <Link to={`/integrations/${source.id}`}>{source.name}</Link>
        </Fact>
      )}
      <Fact name="Last fired">
        {lastRun === null ? (
          'Never'
        ) : (
          <Link to={`/runs/${lastRun.id}`}>
            <RelativeTime at={lastRun.createdAt} />
          </Link>
        )}
      </Fact>
      {type === 'SCHEDULE' && <Fact name="Next">{nextFireAt === null ? 'Rests' : <NextTime at={nextFireAt} />}</Fact>}
      <Fact name="Created">
        <RelativeTime at={createdAt} />
      </Fact>
      <CopiedFact name="Id" value={id} label="Copy trigger id" />
    </Facts>
  );
}

function NextTime({ at }: { at: string }) {
  return (
    <>
      <RelativeTime at={at} /> (<ExactTime at={at} />)
    </>
  );
}
