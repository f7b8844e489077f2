import { TextField } from '../text-field.js';
import { BodyField } from './body-field.js';
import classes from './fields.module.css';
import { HeadersField } from './headers-field.js';
import { IntegrationSelect } from './integration-select.js';
import { MethodSelect } from './method-select.js';

/** A connection, and the request without its address and credentials. */
export function AppRequestFields() {
  return (
    <>
      <IntegrationSelect />
      <div className={classes.request}>
        <MethodSelect />
        <TextField field="path" label="Path" placeholder="/v1/customers/{{ trigger.body.id }}" mono required />
      </div>
      <HeadersField />
      <BodyField />
    </>
  );
}
