import { TextInput } from '@mantine/core';
import { faultAt, useEditing } from '../../editing.js';
import { PlaceholderInput } from '../../values/placeholder-input.js';
import classes from './fields.module.css';
import { RowsField } from './rows-field.js';

/** The headers of a request. */
export function HeadersField() {
  const { action } = useEditing();
  return (
    <RowsField field="headers" label="Headers" thing="header" className={classes.header}>
      {({ name, value }, index, change) => (
        <>
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="Name"
            value={name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={name.trim() === '' && value === '' ? undefined : faultAt(action, `config.headers.${name.trim()}`)}
            autoComplete="off"
            spellCheck={false}
          />
          <PlaceholderInput
            name={`Value of header ${index + 1}`}
            placeholder="Value"
            value={value}
            onChange={(text) => change({ value: text })}
            mono
          />
        </>
      )}
    </RowsField>
  );
}
