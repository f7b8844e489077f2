import { Stack } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { type RequestFault } from '../graphql/request-fault.js';
import { Notice } from './notice.js';

/**
 * A form: Enter sends it, a fault that names one of its fields moves the focus there, any other is told above its
 * buttons. `children` are the fields, `footer` the buttons.
 */
export function Form({ onSubmit, fault, children, footer, label }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [fault]);
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md">
        {children}
        <FormFault fault={fault} />
        {footer}
      </Stack>
    </form>
  );
}

function FormFault({ fault }: { fault: RequestFault | undefined }) {
  if (fault === undefined || Object.keys(fault.fields).length > 0) return null;
  return (
    <Notice tone="bad">
      {fault.message}
      {fault.requestId !== undefined && <div>Request id: {fault.requestId}</div>}
    </Notice>
  );
}

/** `label` names the form for readers of the screen. */
export interface FormProps {
  onSubmit: () => void;
  fault: RequestFault | undefined;
  children: ReactNode;
  footer: ReactNode;
  label?: string;
}
