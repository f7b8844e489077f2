import { useEditing, faultAt } from '../editing.js';
import { PlaceholderInput, type PlaceholderInputProps } from './placeholder-input.js';

/** One string of the action's config, with the service's fault. */
export function TextField({ field, label, ...rest }: TextFieldProps) {
  const { action, setText } = useEditing();
  return (
    <PlaceholderInput
      {...rest}
      name={label}
      label={label}
      value={action.values.texts[field] ?? ''}
      onChange={(text) => setText(field, text)}
      error={faultAt(action, `config.${field}`, { inside: true })}
    />
  );
}

/** `field` is the key of the config. */
export interface TextFieldProps extends Pick<
  PlaceholderInputProps,
  'description' | 'placeholder' | 'required' | 'mono' | 'multiline' | 'style'
> {
  field: string;
  label: string;
}
