import { ActionIcon, Button } from '@mantine/core';
import { type ReactNode } from 'react';
import { newRow, type Row } from '../../draft-action.js';
import { faultAt, useEditing } from '../../editing.js';
import { IconPlus, IconX } from '../../../../ui/icons/icons.js';
import classes from './fields.module.css';

/** Editable rows, one per entry of a config field; faults of the whole field are shown below. */
export function RowsField({ field, label, thing, keepsOne = false, className, children }: RowsFieldProps) {
  const { action, setRows } = useEditing();
  const rows = action.values.rows[field] ?? [];
  const whole = faultAt(action, `config.${field}`);
  const change = (key: string, part: Partial<Row>): void =>
    setRows(
      field,
      rows.map((row) => (row.key === key ? { ...row, ...part } : row)),
    );
  const remove = (key: string): void =>
    setRows(
      field,
      rows.filter((row) => row.key !== key),
    );
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      {rows.map((row, index) => (
        <div key={row.key} className={className}>
          {children(row, index, (part) => change(row.key, part))}
          {!(keepsOne && rows.length === 1) && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove ${thing} ${index + 1}`}
              onClick={() => remove(row.key)}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          )}
        </div>
      ))}
      {whole !== undefined && <p className={classes.fault}>{whole}</p>}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setRows(field, [...rows, newRow()])}
      >
        Add {thing}
      </Button>
    </fieldset>
  );
}

/** `thing` is one entry in words; `keepsOne`: the last one stays; `children` draws the inputs of a row. */
export interface RowsFieldProps {
  field: string;
  label: string;
  thing: string;
  keepsOne?: boolean;
  className: string | undefined;
  children: (row: Row, index: number, change: (part: Partial<Row>) => void) => ReactNode;
}
