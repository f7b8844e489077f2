import { Button, TextInput } from '@mantine/core';
import { useViewer } from '../../session/viewer.js';
import { Form } from '../../ui/forms/form.js';
import { LeaveGuard } from '../../ui/forms/leave-guard.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { UpdateProfileDocument } from './profile.generated.js';

/** The user's name, which can be changed, and the address, which identifies the user. */
export function NameForm() {
  const { user } = useViewer();
  const { run, running, fault } = useAction(UpdateProfileDocument, { inForm: true });
  const { values, field, forgetEdits } = useFields({ name: user?.name ?? '' }, fault);
  const save = async () => {
    if ((await run({ name: values.name.trim() })) === undefined) return;
    forgetEdits();
    notifyDone('Name saved.');
  };
  return (
    <>
      <Form
        label="Your name"
        onSubmit={() => void save()}
        fault={fault}
        footer={
          <div>
            <Button type="submit" loading={running} disabled={values.name === user?.name}>
              Save
            </Button>
          </div>
        }
      >
        <TextInput {...field('name')} label="Name" autoComplete="name" required withAsterisk={false} />
        <TextInput
          label="Email"
          description="You sign in with it, and emails about the account go to it. To use another one, invite it under Users, join with it, and remove this user."
          value={user?.email ?? ''}
          variant="filled"
          autoComplete="off"
          readOnly
        />
      </Form>
      <LeaveGuard dirty={values.name !== user?.name}>
        Your new name is not saved. Leaving the page discards it.
      </LeaveGuard>
    </>
  );
}
