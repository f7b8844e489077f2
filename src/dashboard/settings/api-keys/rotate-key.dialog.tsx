import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { ExactTime } from '../../ui/values/exact-time.js';
import { Dialog } from '../../ui/dialogs/dialog.js';
import { FormButtons } from '../../ui/forms/form-buttons.js';
import { Notice } from '../../ui/pages/notice.js';
import { useAction } from '../../ui/forms/use-action.js';
import { type DialogOf } from '../../ui/forms/use-dialog-of.js';
import { useSecretOnce } from '../../ui/forms/use-secret-once.js';
import { type ApiKeyRowFragment, RotateApiKeyDocument } from './api-keys.generated.js';
import classes from './api-keys.module.css';
import { KeyOnce } from './key-once.js';
import { DEFAULT_OVERLAP, oldEnd, OVERLAPS } from './overlaps.js';

/** The new key, and when the old one expires (null if it already has). */
interface Rotated {
  old: ApiKeyRowFragment;
  secret: string;
  oldEndsAt: string | null;
}

/** Lets the user choose how long the old key keeps working, then shows the new one, once. */
export function RotateKeyDialog({ about: key, opened, close }: DialogOf<ApiKeyRowFragment>) {
  const { made: rotated, show, stored, modal } = useSecretOnce<Rotated>(opened, close);
  if (key === undefined) return null;
  return (
    <Dialog
      {...modal}
      title={rotated === undefined ? `Rotate “${key.label}”` : `The new key of “${rotated.old.label}”`}
    >
      {rotated === undefined ? (
        <RotateForm apiKey={key} onClose={close} onRotated={show} />
      ) : (
        <KeyOnce secret={rotated.secret} onDone={stored}>
          <OldKey lastFour={rotated.old.lastFour} endsAt={rotated.oldEndsAt} />
        </KeyOnce>
      )}
    </Dialog>
  );
}

function RotateForm({ apiKey, onClose, onRotated }: RotateFormProps) {
  const { run, running } = useAction(RotateApiKeyDocument);
  const [hours, setHours] = useState<number>(DEFAULT_OVERLAP);
  const rotate = async () => {
    const made = await run({ id: apiKey.id, overlapHours: hours });
    if (made === undefined) return;
    const { secret, apiKey: fresh } = made.rotateApiKey;
    onRotated({ old: apiKey, secret, oldEndsAt: oldEnd(apiKey, fresh, hours) });
  };
  return (
    <form
      aria-label="Rotate key"
      onSubmit={(event) => {
        event.preventDefault();
        void rotate();
      }}
    >
      <Stack gap="md">
        <div>A new key with the same label and scope replaces this one.</div>
        <Radio.Group
          label="How long does the old key still work?"
          value={String(hours)}
          onChange={(value) => setHours(Number(value))}
        >
          <div className={classes.choices}>
            {OVERLAPS.map(({ hours: choice, label, effect }) => (
              <Radio key={choice} value={String(choice)} label={label} description={effect} />
            ))}
          </div>
        </Radio.Group>
        <FormButtons submitLabel="Rotate key" running={running} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function OldKey({ lastFour, endsAt }: { lastFour: string; endsAt: string | null }) {
  const name = <code>wfk_…{lastFour}</code>;
  return (
    <Notice tone="busy">
      {endsAt === null ? (
        <>The old key ({name}) no longer works.</>
      ) : (
        <>
          The old key ({name}) works until <ExactTime at={endsAt} />. Replace it before then.
        </>
      )}
    </Notice>
  );
}

interface RotateFormProps {
  apiKey: ApiKeyRowFragment;
  onClose: () => void;
  onRotated: (rotated: Rotated) => void;
}
