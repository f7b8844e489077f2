import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { Notice } from '../../../ui/pages/notice.js';
import { StatusBadge } from '../../../ui/values/status-badge.js';
import { sentence } from '../../../ui/sentence.js';
import { WithHelp } from '../../../ui/help/help-button.js';
import { ActionButtons } from './action-buttons.js';
import { type ActionCardProps } from './action-card-props.js';
import classes from './action-card.module.css';
import { errorsInWords, faultCount } from '../draft-action.js';
import { EditingContext, faultAt } from '../editing.js';
import { kindOf } from '../kinds/index.js';
import { RenameOffer, useRenameOffer } from './rename-offer.js';
import { IconAlertCircle, IconChevronDown } from '../../../ui/icons/icons.js';

/** One action of the list: a one-line summary, and the form while the card is open. */
export function ActionCard(props: ActionCardProps) {
  const { action, index, open, mark, onToggle } = props;
  const { label, icon: Icon, summary } = kindOf(action.kind);
  const id = useId();
  const faults = faultCount([action]);
  return (
    <li className={classes.card} data-faulty={faults > 0 || undefined} data-action={action.key}>
      <div className={classes.head}>
        <h3 className={classes.heading}>
          <button type="button" className={classes.toggle} aria-expanded={open} aria-controls={id} onClick={onToggle}>
            <span className={classes.icon}>
              <Icon size={17} stroke={1.7} aria-hidden />
            </span>
            <span className={classes.words}>
              <span className={classes.name}>
                <span className={classes.number}>{index + 1}</span> {action.name || 'Without a name'}
              </span>
              <span className={classes.summary}>{summary(action.values) || label}</span>
            </span>
            {mark !== undefined && <StatusBadge status={mark} />}
            {faults > 0 && (
              <span className={classes.faults}>
                <IconAlertCircle size={15} aria-hidden /> {errorsInWords(faults)}
              </span>
            )}
            <IconChevronDown size={16} aria-hidden className={classes.chevron} />
          </button>
        </h3>
        <ActionButtons {...props} />
      </div>
      <div id={id} hidden={!open}>
        {open && <ActionForm {...props} />}
      </div>
    </li>
  );
}

function ActionForm({ action, actions, suggestions, change }: ActionCardProps) {
  const { Fields, keys, explains, help } = kindOf(action.kind);
  const offer = useRenameOffer(action, actions);
  const { key } = action;
  const others = Object.entries(action.faults).filter(
    ([field]) => field !== 'name' && !keys.some((known) => `${field}.`.startsWith(`config.${known}.`)),
  );
  return (
    <EditingContext
      value={{
        action,
        suggestions,
        setText: (field, text) => change({ type: 'text', key, field, text }),
        setRows: (field, rows) => change({ type: 'rows', key, field, rows }),
      }}
    >
      <div className={classes.form}>
        <WithHelp topic={help}>
          <p className={classes.explains}>{explains}</p>
        </WithHelp>
        <div className={classes.naming}>
          <WithHelp topic="placeholders">
            <TextInput
              label="Name"
              description={`Later actions read its result as {{ steps.${action.name || 'name'}… }}.`}
              value={action.name}
              onFocus={offer.begin}
              onBlur={offer.look}
              onChange={(event) => change({ type: 'rename', key, name: event.currentTarget.value })}
              error={faultAt(action, 'name')}
              autoComplete="off"
              spellCheck={false}
              data-field="name"
            />
          </WithHelp>
          <RenameOffer offer={offer} onFollow={(from, to) => change({ type: 'follow', from, to })} />
        </div>
        <Fields />
        {others.map(([field, message]) => (
          <Notice key={field} tone="bad">
            {field.replace(/^config\./, '')}: {sentence(message)}
          </Notice>
        ))}
      </div>
    </EditingContext>
  );
}
