import { Anchor, Code, Text } from '@mantine/core';
import { TextField } from '../values/text-field.js';
import { BodyField } from './fields/body-field.js';
import classes from './fields/fields.module.css';
import { HeadersField } from './fields/headers-field.js';
import { RequestTarget } from './connections/request-target.js';
import { MethodSelect } from './fields/method-select.js';
import { useAppTypes } from './connections/use-app-types.js';
import { useConnections } from './connections/use-connections.js';
import { useEditing } from '../editing.js';
import { isByReference } from './by-reference.js';

/** A connection, and the request without its address and credentials. */
export function AppRequestFields() {
  const api = useApi();
  return (
    <>
      <RequestTarget />
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
              <Anchor href={api.documentationUrl} target="_blank" rel="noopener noreferrer" underline="always" inherit>
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

/** The application that is called, once its connection or its type is chosen. */
function useApi() {
  const { texts } = useEditing().action.values;
  const one = useConnections().chosen?.integrationType;
  const { chosen } = useAppTypes(texts['connection.type'] ?? '');
  return isByReference(texts) ? chosen : one;
}
