import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useId } from 'react';
import { type FilterRow } from '../trigger-config.js';
import classes from '../trigger-form.module.css';
import { type TriggerForm } from '../use-trigger-form.js';
import { IconPlus, IconX } from '../../ui/icons/icons.js';

/** The conditions of a payload, combined with AND: a dotted path and its value. */
export function FilterRows({ form: { rows, setRows, errorOf } }: { form: TriggerForm }) {
  const id = useId();
  const change = (key: number, part: Partial<FilterRow>): void =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = (): void =>
    setRows((before) => [...before, { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, path: '', value: '' }]);
  return (
    <div role="group" aria-labelledby={id} aria-describedby={`${id} text`}>
      <p id={id} className={classes.groupLabel}>
        Only if (optional)
      </p>
      <p id={`${id} text`} className={classes.groupText}>
        Fires only if the payload has all of these values. Numbers, true, false and null are read as such; put them in
        quotes for text.
      </p>
      {rows.map(({ key, path, value }, place) => (
        <div key={key} className={classes.row}>
          <TextInput
            aria-label={`Path ${place + 1}`}
            placeholder="deal.stage"
            value={path}
            onChange={(event) => change(key, { path: event.currentTarget.value })}
            classNames={{ input: classes.code }}
            spellCheck={false}
            autoFocus={path === '' && value === '' && place === rows.length - 1 && place > 0}
          />
          <span>is</span>
          <TextInput
            aria-label={`Value ${place + 1}`}
            placeholder="won"
            value={value}
            onChange={(event) => change(key, { value: event.currentTarget.value })}
            error={errorOf(`config.filter.${path.trim()}`)}
            classNames={{ input: classes.code }}
            spellCheck={false}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove condition ${place + 1}`}
            onClick={() => setRows((before) => before.filter((row) => row.key !== key))}
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {errorOf('config.filter') !== undefined && <p className={classes.fault}>{errorOf('config.filter')}</p>}
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        Add condition
      </Button>
    </div>
  );
}
