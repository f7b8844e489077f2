import { TextField } from '../values/text-field.js';
import { BodyField } from './fields/body-field.js';
import classes from './fields/fields.module.css';
import { HeadersField } from './fields/headers-field.js';
import { MethodSelect } from './fields/method-select.js';

/** Method, address, headers and body. */
export function HttpRequestFields() {
  return (
    <>
      <div className={classes.request}>
        <MethodSelect />
        <TextField field="url" label="URL" placeholder="https://api.example.com/orders" mono required />
      </div>
      <HeadersField />
      <BodyField />
    </>
  );
}
