import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type Row, newRow } from '../draft-action.js';
import { faultAt, sentence, useEditing } from '../editing.js';
import { PlaceholderInput } from '../placeholder-input.js';
import classes from './fields.module.css';

/** The headers of a request, a row each. */
export function HeadersField() {
  const { action, setRows } = useEditing();
  const rows = action.values.rows.headers ?? [];
  const change = (key: string, change: Partial<Row>): void =>
    setRows(
      'headers',
      rows.map((row) => (row.key === key ? { ...row, ...change } : row)),
    );
  const whole = faultAt(action, 'config.headers');
  return (
    <fieldset className={classes.group}>
      <legend>Headers</legend>
      {rows.map((row, index) => (
        <div key={row.key} className={classes.header}>
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="Name"
            value={row.name}
            onChange={(event) => change(row.key, { name: event.currentTarget.value })}
            error={row.name.trim() === '' && row.value === '' ? undefined : headerFault(action.faults, row)}
            autoComplete="off"
            spellCheck={false}
          />
          <PlaceholderInput
            name={`Value of header ${index + 1}`}
            placeholder="Value"
            value={row.value}
            onChange={(value) => change(row.key, { value })}
            mono
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove header ${index + 1}`}
            onClick={() =>
              setRows(
                'headers',
                rows.filter(({ key }) => key !== row.key),
              )
            }
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {whole !== undefined && <p className={classes.fault}>{whole}</p>}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setRows('headers', [...rows, newRow()])}
      >
        Add header
      </Button>
    </fieldset>
  );
}

function headerFault(faults: Readonly<Record<string, string>>, { name }: Row): string | undefined {
  const fault = faults[`config.headers.${name.trim()}`];
  return fault === undefined ? undefined : sentence(fault);
}
