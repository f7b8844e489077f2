import { Select } from '@mantine/core';
import { faultAt, useEditing } from '../../editing.js';
import { METHODS } from '../request-values.js';

/** The method of a request; a placeholder is kept unchanged. */
export function MethodSelect() {
  const { action, setText } = useEditing();
  const method = action.values.texts.method ?? 'GET';
  return (
    <Select
      label="Method"
      data={METHODS.includes(method) ? METHODS : [...METHODS, method]}
      value={method}
      onChange={(value) => setText('method', value ?? 'GET')}
      error={faultAt(action, 'config.method')}
    />
  );
}
