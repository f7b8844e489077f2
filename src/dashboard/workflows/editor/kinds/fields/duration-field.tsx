import { Select } from '@mantine/core';
import { type ReactNode } from 'react';
import { faultAt, useEditing } from '../../editing.js';
import { PlaceholderInput } from '../../values/placeholder-input.js';
import { UNITS } from '../duration.js';
import classes from './fields.module.css';

/** An amount and its unit; a placeholder counts as seconds. */
export function DurationField({ field, label, description, ...rest }: DurationFieldProps) {
  const { action, setText } = useEditing();
  const { [`${field}_amount`]: amount = '', [`${field}_unit`]: unit = '1' } = action.values.texts;
  const isPlaceholder = amount.includes('{{');
  return (
    <div className={classes.duration}>
      <PlaceholderInput
        {...rest}
        name={label}
        label={label}
        value={amount}
        onChange={(text) => {
          setText(`${field}_amount`, text);
          if (text.includes('{{')) setText(`${field}_unit`, '1');
        }}
        error={faultAt(action, `config.${field}`)}
      />
      <Select
        label="Unit"
        data={UNITS}
        value={unit}
        disabled={isPlaceholder}
        onChange={(value) => setText(`${field}_unit`, value ?? '1')}
      />
      {description !== undefined && <p className={classes.hint}>{description}</p>}
    </div>
  );
}

/** `field` is the key of the config; `description` stands below. */
export interface DurationFieldProps {
  field: string;
  label: string;
  description?: ReactNode;
  placeholder?: string;
  required?: boolean;
}
