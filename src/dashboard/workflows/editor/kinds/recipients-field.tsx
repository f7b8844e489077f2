import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { newRow } from '../draft-action.js';
import { faultAt, useEditing } from '../editing.js';
import { PlaceholderInput } from '../placeholder-input.js';
import classes from './fields.module.css';

/** The addresses that a mail goes to, a row each. */
export function RecipientsField() {
  const { action, setRows } = useEditing();
  const rows = action.values.rows.to ?? [];
  const whole = faultAt(action, 'config.to');
  return (
    <fieldset className={classes.group}>
      <legend>To</legend>
      {rows.map((row, index) => (
        <div key={row.key} className={classes.recipient}>
          <PlaceholderInput
            name={`Recipient ${index + 1}`}
            placeholder="ada@example.com"
            value={row.value}
            onChange={(value) =>
              setRows(
                'to',
                rows.map((other) => (other.key === row.key ? { ...other, value } : other)),
              )
            }
            error={faultAt(action, `config.to.${index}`)}
          />
          {rows.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove recipient ${index + 1}`}
              onClick={() =>
                setRows(
                  'to',
                  rows.filter(({ key }) => key !== row.key),
                )
              }
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
        onClick={() => setRows('to', [...rows, newRow()])}
      >
        Add recipient
      </Button>
    </fieldset>
  );
}
