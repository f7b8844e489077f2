import { UnsentMail } from '../../../session/unsent-mail.js';
import { TextField } from '../values/text-field.js';
import { RecipientsField } from './fields/recipients-field.js';

/** Recipients, subject and text. */
export function SendEmailFields() {
  return (
    <>
      <UnsentMail>The step succeeds all the same, and the email is only in the log of the service.</UnsentMail>
      <RecipientsField />
      <TextField field="subject" label="Subject" placeholder="Your order {{ trigger.body.order.id }}" required />
      <TextField field="text" label="Text" multiline />
    </>
  );
}
