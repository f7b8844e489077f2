import { Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type RequestFault } from '../../graphql/request-fault.js';
import { Notice } from '../pages/notice.js';
import { useTyped } from '../dialogs/dialog-context.js';
import { useUnsaved } from './unsaved.js';

/**
 * A form: Enter submits it, a fault of one of its fields moves the focus there, and any other fault is shown above the
 * buttons. Typed input counts as unsaved while the form exists. `children` are the fields, `footer` the buttons.
 */
export function Form({ onSubmit, fault, children, footer, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [homeless, setHomeless] = useState<RequestFault>();
  const [touched, setTouched] = useState(false);
  useUnsaved(touched);
  useTyped(touched);
  useEffect(() => {
    if (fault === undefined) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.focus();
    // The fault names only values without a field in this form.
    if (field == null) setHomeless(fault);
  }, [fault]);
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onInput={() => setTouched(true)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md">
        {children}
        {fault !== undefined && (Object.keys(fault.fields).length === 0 || fault === homeless) && (
          <FormFault fault={fault} />
        )}
        {footer}
      </Stack>
    </form>
  );
}

/** An error that names no field, for a form or another place that sends something. */
export function FormFault({ fault }: { fault: RequestFault }) {
  return (
    <Notice tone="bad">
      {fault.message}
      {fault.requestId !== undefined && <div>Request id: {fault.requestId}</div>}
    </Notice>
  );
}

/** `label` names the form for screen readers. */
export interface FormProps {
  onSubmit: () => void;
  fault: RequestFault | undefined;
  children: ReactNode;
  footer: ReactNode;
  label?: string;
}
