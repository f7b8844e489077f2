import { Anchor, Code, Text } from '@mantine/core';
import { TextField } from '../values/text-field.js';
import { BodyField } from './fields/body-field.js';
import classes from './fields/fields.module.css';
import { HeadersField } from './fields/headers-field.js';
import { IntegrationSelect } from './integration-select.js';
import { MethodSelect } from './fields/method-select.js';
import { useConnections } from './use-connections.js';

/** A connection, and the request without its address and credentials. */
export function AppRequestFields() {
  const api = useConnections().chosen?.integrationType;
  return (
    <>
      <IntegrationSelect />
      <div className={classes.request}>
        <MethodSelect />
        <TextField field="path" label="Path" placeholder="/v1/customers/{{ trigger.body.id }}" mono required />
      </div>
      {api && (
        <Text size="xs" c="dimmed">
          The path follows <Code>{api.apiBaseUrl}</Code>.
          {api.documentationUrl !== null && (
            <>
              {' '}
              <Anchor href={api.documentationUrl} target="_blank" rel="noopener noreferrer" inherit>
                Its endpoints
              </Anchor>
            </>
          )}
        </Text>
      )}
      <HeadersField />
      <BodyField />
    </>
  );
}
