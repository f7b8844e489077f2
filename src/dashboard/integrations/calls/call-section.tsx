import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../ui/forms/form.js';
import { useAction } from '../../ui/forms/use-action.js';
import { useFields } from '../../ui/forms/use-fields.js';
import { Section } from '../../ui/pages/section.js';
import { type IntegrationDetail } from '../integration-detail.js';
import { CallApplicationDocument, type CallApplicationMutation } from './call.generated.js';
import { type CallTexts, METHODS, readCall } from './call-input.js';
import { CallResult } from './call-result.js';
import { IconSend } from '../../ui/icons/icons.js';
import classes from './call-section.module.css';

const EMPTY: CallTexts = { method: 'GET', path: '/', query: '', headers: '', body: '' };

/** Sends a test call through a connection, and shows the response of the application. */
export function CallSection({ integration: { id, status, type, integrationType }, onCalled }: CallSectionProps) {
  const app = integrationType?.name ?? type;
  const { run, running, fault } = useAction(CallApplicationDocument, { inForm: true });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [result, setResult] = useState<CallApplicationMutation['callApplication']>();
  const form = useFields<CallTexts>(EMPTY, fault);
  if (status !== 'CONNECTED') return null;
  const send = async () => {
    const read = readCall(id, form.values);
    setFaults(read.faults ?? {});
    if (read.faults !== undefined) return;
    setResult(undefined);
    setResult((await run({ input: read.input }))?.callApplication);
    // The application may have asked to wait.
    onCalled();
  };
  /** The props of a field; a fault of the form itself comes first. */
  const field = (name: keyof CallTexts & string) => {
    const { onChange, error, ...props } = form.field(name);
    const own = faults[name] ?? error ?? faultWithin(name, fault?.fields);
    return {
      ...props,
      error: own,
      ...(own !== undefined && { 'aria-invalid': true as const }),
      onChange: (event: Parameters<typeof onChange>[0]) => {
        setFaults(({ [name]: _, ...others }) => others);
        onChange(event);
      },
    };
  };
  return (
    <Section title="Try a call" lead={`It goes to ${app} with the credentials of this connection. It is a real call.`}>
      <div className={classes.card}>
        <Form
          label="Try a call"
          fault={fault}
          onSubmit={() => void send()}
          footer={
            <div>
              <Button type="submit" loading={running} leftSection={<IconSend size={16} aria-hidden />}>
                Send
              </Button>
            </div>
          }
        >
          <div className={classes.line}>
            <NativeSelect
              label="Method"
              data={METHODS}
              value={form.values.method}
              onChange={(event) => form.set('method', event.currentTarget.value)}
            />
            <TextInput label="Path" description="Added to the base URL." spellCheck={false} {...field('path')} />
          </div>
          <div className={classes.pair}>
            <Textarea
              label="Query"
              description="One name=value a line."
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              classNames={{ input: classes.code }}
              {...field('query')}
            />
            <Textarea
              label="Headers"
              description="One name: value a line. Credentials are added."
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              classNames={{ input: classes.code }}
              {...field('headers')}
            />
          </div>
          {form.values.method !== 'GET' && form.values.method !== 'HEAD' && (
            <Textarea
              label="Body"
              description="JSON. Leave it empty to send none."
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              classNames={{ input: classes.code }}
              {...field('body')}
            />
          )}
        </Form>
        {result !== undefined && <CallResult result={result} />}
      </div>
    </Section>
  );
}

/** `onCalled`: after each call, whatever came of it. */
interface CallSectionProps {
  integration: IntegrationDetail;
  onCalled: () => void;
}

/** The fault of a part of a field, e.g. `headers.X-A`, named by its part. */
function faultWithin(name: string, fields: Readonly<Record<string, string>> = {}): string | undefined {
  for (const [path, message] of Object.entries(fields)) {
    const inside = path.replace(/^input\./, '');
    if (inside.startsWith(`${name}.`)) return `${inside.slice(name.length + 1)} ${message}.`;
  }
  return undefined;
}
