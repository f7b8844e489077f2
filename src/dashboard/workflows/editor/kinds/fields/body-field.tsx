import { SegmentedControl } from '@mantine/core';
import { newRow } from '../../draft-action.js';
import { faultAt, useEditing } from '../../editing.js';
import { PlaceholderInput } from '../../values/placeholder-input.js';
import classes from './fields.module.css';
import { saysItsType } from '../request-values.js';

/** The body of a request: none, JSON, or plain text. */
export function BodyField() {
  const { action, setText, setRows } = useEditing();
  const { body = '', body_as: as = 'none' } = action.values.texts;
  const headers = action.values.rows.headers ?? [];
  const choose = (choice: string): void => {
    setText('body_as', choice);
    // Without it, a text would be sent as a JSON string.
    if (choice === 'text' && !saysItsType(headers)) {
      const others = headers.filter(({ name }) => name.trim().toLowerCase() !== 'content-type');
      setRows('headers', [...others, newRow('content-type', 'text/plain; charset=utf-8')]);
    }
  };
  return (
    <fieldset className={classes.group}>
      <legend>Body</legend>
      <SegmentedControl
        size="xs"
        aria-label="Body"
        value={as}
        onChange={choose}
        data={[
          { value: 'none', label: 'None' },
          { value: 'json', label: 'JSON' },
          { value: 'text', label: 'Text' },
        ]}
      />
      {as !== 'none' && (
        <PlaceholderInput
          key={as}
          name={as === 'json' ? 'JSON body' : 'Text body'}
          placeholder={as === 'json' ? '{ "email": "{{ trigger.body.email }}" }' : undefined}
          value={body}
          onChange={(text) => setText('body', text)}
          error={faultAt(action, 'config.body', { inside: true })}
          style={as === 'json' ? 'json' : 'text'}
          multiline
          mono
        />
      )}
    </fieldset>
  );
}
