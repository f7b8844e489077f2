import { Radio } from '@mantine/core';
import { type ApiKeyScope } from '../../graphql/enums.generated.js';
import classes from './api-keys.module.css';
import { SCOPES } from './key-state.js';

/** The scopes of a key, each with its meaning. */
export function ScopeChoice({ value, onChange }: { value: ApiKeyScope; onChange: (scope: ApiKeyScope) => void }) {
  return (
    <Radio.Group label="Scope" value={value} onChange={(next) => onChange(next)}>
      <div className={classes.choices}>
        {Object.entries(SCOPES).map(([scope, { label, effect }]) => (
          <Radio key={scope} value={scope} label={label} description={effect} />
        ))}
      </div>
    </Radio.Group>
  );
}
