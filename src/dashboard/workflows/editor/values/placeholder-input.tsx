import { Textarea, TextInput } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useRef, useState } from 'react';
import { useEditing } from '../editing.js';
import { insertPlaceholder, type PlaceholderStyle } from './insert-placeholder.js';
import { ValuePicker } from './value-picker.js';
import classes from './placeholder-input.module.css';

/** A text field that accepts placeholders; without `label` only `name` names it. */
export interface PlaceholderInputProps {
  /** The name of the field for screen readers and in the picker. */
  name: string;
  label?: string;
  description?: ReactNode;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  required?: boolean;
  /** Code rather than prose: URLs, JSON, paths. */
  mono?: boolean;
  multiline?: boolean;
  style?: PlaceholderStyle;
}

/** A field with a picker of values beside it, which writes a placeholder at the caret; typing `{{` opens it too. */
export function PlaceholderInput(props: PlaceholderInputProps) {
  const { name, label, description, placeholder, value, onChange, error, required, mono, multiline, style } = props;
  const { suggestions } = useEditing();
  const input = useRef<(HTMLInputElement & HTMLTextAreaElement) | null>(null);
  const [asked, setAsked] = useState(0);
  const focusAt = (caret?: number): void => {
    requestAnimationFrame(() => {
      input.current?.focus();
      if (caret !== undefined) input.current?.setSelectionRange(caret, caret);
    });
  };
  const pick = (path: string): void => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const range = [selectionStart ?? value.length, selectionEnd ?? value.length] as const;
    const after = insertPlaceholder(value, range, path, style ?? 'text');
    onChange(after.text);
    focusAt(after.caret);
  };
  const common = {
    ref: input,
    label,
    'aria-label': label === undefined ? name : undefined,
    description,
    placeholder,
    value,
    error,
    required,
    withAsterisk: false,
    spellCheck: mono === true ? false : undefined,
    autoComplete: 'off',
    classNames: { input: mono === true ? classes.mono : undefined, section: multiline ? classes.top : undefined },
    onChange: (event: ChangeEvent<HTMLInputElement & HTMLTextAreaElement>) => {
      const { value: text, selectionStart } = event.currentTarget;
      onChange(text);
      const { inputType } = event.nativeEvent as InputEvent;
      if (inputType === 'insertText' && text.slice(0, selectionStart).endsWith('{{')) setAsked(asked + 1);
    },
    rightSectionWidth: 34,
    rightSection: (
      <ValuePicker label={name} suggestions={suggestions} onPick={pick} onClose={() => focusAt()} asked={asked} />
    ),
  };
  return multiline ? <Textarea {...common} minRows={4} maxRows={18} /> : <TextInput {...common} />;
}
