import { PasswordInput } from '@mantine/core';
import { type FieldProps } from '../../ui/forms/use-fields.js';

const HINTS: Readonly<Record<string, string>> = {
  sandbox_api_key: 'The sandbox accepts sandbox_valid_key and refuses everything else.',
};

/** The field for an application's API key, with where to find it. */
export function KeyField({ app, field, focus = false }: { app: KeyedApp; field: FieldProps; focus?: boolean }) {
  const { type, name, documentationUrl } = app;
  return (
    <PasswordInput
      {...field}
      label="API key"
      description={
        <>
          {HINTS[type] ?? `Create it in your ${name} account. ${name} checks it first; then it is stored encrypted.`}
          {documentationUrl !== null && (
            <>
              {' '}
              <a href={documentationUrl} target="_blank" rel="noopener noreferrer">
                Documentation
              </a>
            </>
          )}
        </>
      }
      autoComplete="off"
      data-1p-ignore
      data-autofocus={focus || undefined}
      required
    />
  );
}

/** The data of the application for the field. */
export interface KeyedApp {
  type: string;
  name: string;
  documentationUrl: string | null;
}
