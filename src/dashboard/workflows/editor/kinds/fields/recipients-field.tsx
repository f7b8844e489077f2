import { faultAt, useEditing } from '../../editing.js';
import { PlaceholderInput } from '../../values/placeholder-input.js';
import classes from './fields.module.css';
import { RowsField } from './rows-field.js';

/** The recipients of a mail. */
export function RecipientsField() {
  const { action } = useEditing();
  return (
    <RowsField field="to" label="To" thing="recipient" className={classes.recipient} keepsOne>
      {({ value }, index, change) => (
        <PlaceholderInput
          name={`Recipient ${index + 1}`}
          placeholder="ada@example.com"
          value={value}
          onChange={(text) => change({ value: text })}
          error={faultAt(action, `config.to.${index}`)}
        />
      )}
    </RowsField>
  );
}
