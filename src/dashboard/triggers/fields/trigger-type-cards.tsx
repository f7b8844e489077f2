import { Radio } from '@mantine/core';
import { type TriggerType } from '../../graphql/enums.generated.js';
import classes from '../trigger-form.module.css';
import { TRIGGER_TYPES } from '../../ui/trigger-types.js';

/** The choice of the trigger's type, with an explanation of each. */
export function TriggerTypeCards({ value, onChange }: { value: TriggerType; onChange: (type: TriggerType) => void }) {
  return (
    <Radio.Group label="Type of trigger" value={value} onChange={(type) => onChange(type)}>
      <div className={classes.types}>
        {Object.entries(TRIGGER_TYPES).map(([type, { label, icon: Icon, explains }]) => (
          <Radio.Card key={type} value={type} radius="md" className={classes.type} aria-label={label}>
            <Icon size={18} stroke={1.7} aria-hidden />
            <strong>{label}</strong>
            <span>{explains}</span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
