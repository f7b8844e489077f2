import { Select } from '@mantine/core';
import { WithHelp } from '../../../ui/help/help-button.js';
import { faultAt, useEditing } from '../editing.js';
import { PlaceholderInput } from '../values/placeholder-input.js';
import { TextField } from '../values/text-field.js';
import classes from './fields/fields.module.css';
import { compares, OPERATORS, valueAs } from './operators.js';

const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'True or false' },
  { value: 'json', label: 'JSON' },
];

/** Path, operator and value of a condition; the value has the type of the comparison. */
export function ConditionFields() {
  const { action, setText } = useEditing();
  const { operator = 'equals' } = action.values.texts;
  const chooseType = (type: string): void => {
    setText('value_as', type);
    if (type === 'boolean') setText('value', 'true');
  };
  return (
    <>
      <TextField
        field="path"
        label="Continue only if"
        placeholder="trigger.body.amount"
        description="Path to a value, without {{ }}"
        style="path"
        mono
        required
      />
      <div className={classes.comparison}>
        <WithHelp topic="operators">
          <Select
            label="Operator"
            data={OPERATORS.map(({ value, label }) => ({ value, label }))}
            value={operator}
            onChange={(value) => setText('operator', value ?? 'equals')}
            error={faultAt(action, 'config.operator')}
          />
        </WithHelp>
        {compares(operator) && (
          <>
            <Select
              label="Type"
              data={TYPES}
              value={valueAs(action.values.texts)}
              onChange={(value) => chooseType(value ?? 'text')}
            />
            <div className={classes.compared}>
              <ComparedValue />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function ComparedValue() {
  const { action, setText } = useEditing();
  const { value = '' } = action.values.texts;
  const as = valueAs(action.values.texts);
  const error = faultAt(action, 'config.value', { inside: true });
  if (as === 'boolean') {
    return (
      <Select
        label="Value"
        data={['true', 'false']}
        value={value === 'true' ? 'true' : 'false'}
        onChange={(choice) => setText('value', choice ?? 'true')}
        error={error}
      />
    );
  }
  return (
    <PlaceholderInput
      name="Value"
      label="Value"
      value={value}
      onChange={(text) => setText('value', text)}
      error={error}
      style={as === 'json' ? 'json' : 'text'}
      mono={as !== 'text'}
      multiline={as === 'json'}
    />
  );
}
