import { type CombinedError } from 'urql';
import { type ApprovalDecision } from '../../graphql/enums.generated.js';
import { ErrorState } from '../../ui/pages/error-state.js';
import { Section } from '../../ui/pages/section.js';
import { CursorPaging, type CursorMeta } from '../../ui/tables/cursor-paging.js';
import { type WaitInDetailFragment, type WaitInListFragment } from '../waits.generated.js';
import { WaitItem } from './wait-item.js';
import classes from './waits.module.css';

/** The pending waits of one kind, with their paging; nothing while there are none. */
export function WaitSection({ title, lead, name, list: { waits, error, reload }, onDecide }: WaitSectionProps) {
  if (waits === undefined && error !== undefined)
    return (
      <Section title={title}>
        <ErrorState error={error} onRetry={reload} />
      </Section>
    );
  if (waits === undefined || waits.items.length === 0) return null;
  return (
    <Section title={title} lead={lead}>
      <ul className={classes.list}>
        {waits.items.map((wait) => (
          <WaitItem key={wait.id} wait={wait} onDecide={(decision) => onDecide(wait, decision)} />
        ))}
      </ul>
      <CursorPaging meta={waits.meta} label={title} name={name} />
    </Section>
  );
}

/** `name` is that of its place in the URL. */
export interface WaitSectionProps {
  title: string;
  lead: string;
  name: string;
  list: {
    waits: { items: readonly WaitInListFragment[]; meta: CursorMeta } | undefined;
    error: CombinedError | undefined;
    reload: () => void;
  };
  onDecide: (wait: WaitInDetailFragment, decision: ApprovalDecision) => void;
}
