import { Button, TextInput } from '@mantine/core';
import { useViewer } from '../../session/viewer.js';
import { Form } from '../../ui/forms/form.js';
import { LeaveGuard } from '../../ui/forms/leave-guard.js';
import { notifyDone } from '../../ui/pages/notify.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { UpdateAccountDocument } from './account.generated.js';

/** The name of the account, which every user may change. */
export function AccountNameForm() {
  const { account } = useViewer();
  const { run, running, fault } = useAction(UpdateAccountDocument, { inForm: true });
  const { values, field, forgetEdits } = useFields({ name: account.name }, fault);
  const isChanged = values.name !== account.name;
  const save = async () => {
    if ((await run({ input: { name: values.name.trim() } })) === undefined) return;
    forgetEdits();
    notifyDone('Account renamed.');
  };
  return (
    <>
      <Form
        label="Name of the account"
        onSubmit={() => void save()}
        fault={fault}
        footer={
          <div>
            <Button type="submit" loading={running} disabled={!isChanged}>
              Save
            </Button>
          </div>
        }
      >
        <TextInput
          {...field('name')}
          label="Account name"
          description="The commands “keys” and “users” find the account by it: pass it as --account."
          autoComplete="organization"
          required
          withAsterisk={false}
        />
      </Form>
      <LeaveGuard dirty={isChanged}>The new name is not saved. Leaving the page discards it.</LeaveGuard>
    </>
  );
}
