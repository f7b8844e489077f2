import { TextInput } from '@mantine/core';
import { inWords } from '../../ui/in-words.js';
import { fieldOf, type useConnectForm, type ConnectableApp } from './use-connect-form.js';

/** The fields of every new connection: the parameters of the application, and a name. */
export function ConnectFields({ app, form }: { app: ConnectableApp; form: ReturnType<typeof useConnectForm> }) {
  return (
    <>
      {app.parameters.map((parameter) => (
        <TextInput
          key={parameter.name}
          {...form.field(fieldOf(parameter))}
          label={inWords(parameter.name)}
          description={parameter.description.replaceAll('`', '')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      ))}
      <TextInput
        {...form.field('label')}
        label="Name"
        description="A name of your choice. It distinguishes several connections to one application."
        maxLength={255}
        autoComplete="off"
      />
    </>
  );
}
