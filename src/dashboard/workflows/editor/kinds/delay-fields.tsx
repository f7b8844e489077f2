import { Select } from '@mantine/core';
import { faultAt, useEditing } from '../editing.js';
import { PlaceholderInput } from '../values/placeholder-input.js';
import classes from './fields/fields.module.css';
import { UNITS } from './units.js';

/** How long to wait; a placeholder counts as seconds. */
export function DelayFields() {
  const { action, setText } = useEditing();
  const { amount = '', unit = '1' } = action.values.texts;
  return (
    <div className={classes.delay}>
      <PlaceholderInput
        name="Wait"
        label="Wait"
        placeholder="e.g. 30"
        value={amount}
        onChange={(text) => {
          setText('amount', text);
          if (text.includes('{{')) setText('unit', '1');
        }}
        error={faultAt(action, 'config.seconds')}
        required
      />
      <Select
        label="Unit"
        data={UNITS}
        value={unit}
        disabled={amount.includes('{{')}
        onChange={(value) => setText('unit', value ?? '1')}
      />
    </div>
  );
}
