import { Select, TextInput } from '@mantine/core';
import { inWords } from '../../ui/in-words.js';
import { type ConnectableApp, fieldOf, type Parameter, type useConnectForm } from './use-connect-form.js';

/** The fields of every new connection: the parameters of the application, and a name. */
export function ConnectFields({ app, form }: { app: ConnectableApp; form: ReturnType<typeof useConnectForm> }) {
  return (
    <>
      {app.parameters.map((parameter) => (
        <ParameterField key={parameter.name} parameter={parameter} form={form} />
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

/** A text, or one of a few choices. */
function ParameterField({ parameter, form }: { parameter: Parameter; form: ReturnType<typeof useConnectForm> }) {
  const { name, description, choices } = parameter;
  const field = form.field(fieldOf(parameter));
  const about = { label: inWords(name), description: description.replaceAll('`', ''), required: true };
  if (choices.length === 0)
    return <TextInput {...field} {...about} autoComplete="off" autoCapitalize="none" spellCheck={false} />;
  return (
    <Select
      {...field}
      {...about}
      data={[...choices]}
      onChange={(value) => form.set(fieldOf(parameter), value ?? '')}
      allowDeselect={false}
    />
  );
}
