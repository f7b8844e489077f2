import { RunList } from '../../runs/list/run-list.js';
import { HelpButton } from '../../ui/help/help-button.js';
import { PageHeader } from '../../ui/pages/page-header.js';
import { Section } from '../../ui/pages/section.js';
import { StatusBadge } from '../../ui/values/status-badge.js';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';
import { EventsAddresses } from '../addresses/events-addresses.js';
import { HookAddress } from '../addresses/hook-address.js';
import { textIn } from '../trigger-config.js';
import { TriggerActions } from './trigger-actions.js';
import { TriggerFacts } from './trigger-facts.js';
import { TriggerNotices } from './trigger-notices.js';
import { TriggerSettings } from './trigger-settings.js';
import { triggerInWords } from '../trigger-words.js';
import { type TriggerDetail } from '../trigger-detail.js';
import { sourcesOf, useSources } from '../fields/use-sources.js';

/** The part of the reference about the settings of each type that has some. */
const HELP = { SCHEDULE: 'schedule', WEBHOOK: 'webhook', APP_EVENT: 'appEvent' } as const;

/** The page content of a loaded trigger. */
export function TriggerView({ trigger }: { trigger: TriggerDetail }) {
  const { name, type, config, status, webhookUrl, workflow } = trigger;
  const { sources, byId, nameOf } = useSources(type !== 'APP_EVENT');
  const source = byId.get(textIn(config, 'integration_id') ?? '');
  return (
    <>
      <PageHeader
        title={name ?? `${type === 'MANUAL' ? 'Manual trigger' : TRIGGER_TYPES[type].label} of ${workflow.name}`}
        lead={triggerInWords(trigger, nameOf)}
        trail={[{ to: '/triggers', label: 'Triggers' }]}
        badge={
          <span role="status">
            <StatusBadge status={status} />
          </span>
        }
        actions={<TriggerActions trigger={trigger} />}
      />
      <TriggerNotices trigger={trigger} source={source} />
      <TriggerFacts trigger={trigger} source={source} />
      {webhookUrl !== null && (
        <Section title="Fire it">
          <HookAddress url={webhookUrl} config={config} workflowId={workflow.id} />
        </Section>
      )}
      {type === 'APP_EVENT' && <EventsAddresses sources={sourcesOf(sources, config)} />}
      {type !== 'MANUAL' && (
        <Section title="Settings" actions={<HelpButton topic={HELP[type]} />}>
          <TriggerSettings trigger={trigger} />
        </Section>
      )}
      <Section title="Runs" lead="Runs of this trigger, newest first.">
        <RunList triggerId={trigger.id} />
      </Section>
    </>
  );
}
