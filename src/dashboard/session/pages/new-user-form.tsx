import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type RequestFault } from '../../graphql/request-fault.js';
import { Form } from '../../ui/forms/form.js';
import { useFields } from '../../ui/forms/use-fields.js';

/** Name, email (fixed for an invitation) and password of a new user. */
export function NewUserForm({ email, submitLabel, running, fault, onSubmit }: NewUserFormProps) {
  const { values, field } = useFields({ name: '', email: email ?? '', password: '' }, fault);
  return (
    <Form
      label="New user"
      onSubmit={() => void onSubmit({ ...values, name: values.name.trim() })}
      fault={fault}
      footer={
        <Button type="submit" loading={running} fullWidth>
          {submitLabel}
        </Button>
      }
    >
      <TextInput {...field('name')} label="Name" autoComplete="name" autoFocus required withAsterisk={false} />
      <TextInput
        {...field('email')}
        type="email"
        label="Email"
        autoComplete="username"
        readOnly={email !== undefined}
        variant={email === undefined ? 'default' : 'filled'}
        required
        withAsterisk={false}
      />
      <PasswordInput
        {...field('password')}
        label="Password"
        description="At least 10 characters. A few words in a row are easy to remember."
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
    </Form>
  );
}

/** `email` is given where it may not be changed. */
export interface NewUserFormProps {
  email?: string;
  submitLabel: string;
  running: boolean;
  fault: RequestFault | undefined;
  onSubmit: (user: { name: string; email: string; password: string }) => Promise<void>;
}
