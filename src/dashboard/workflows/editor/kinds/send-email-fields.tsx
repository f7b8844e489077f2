import { TextField } from '../values/text-field.js';
import { RecipientsField } from './fields/recipients-field.js';

/** Recipients, subject and text. */
export function SendEmailFields() {
  return (
    <>
      <RecipientsField />
      <TextField field="subject" label="Subject" placeholder="Your order {{ trigger.body.order.id }}" required />
      <TextField field="text" label="Text" multiline />
    </>
  );
}
