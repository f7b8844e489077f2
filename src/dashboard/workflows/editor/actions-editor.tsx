import { VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import { ActionCard } from './cards/action-card.js';
import { ActionsHead } from './actions-head.js';
import classes from './actions-editor.module.css';
import { AddAction } from './cards/add-action.js';
import { ConflictDialog } from './saving/conflict-dialog.js';
import { waitsOf } from './draft.js';
import { type DraftAction, newKey } from './draft-action.js';
import { NoActions } from './no-actions.js';
import { Removed } from './cards/removed.js';
import { SaveBar } from './saving/save-bar.js';
import { suggestionsFor } from './values/suggestions.js';
import { TriggerCard } from './cards/trigger-card.js';
import { TestPanel } from './testing/test-panel.js';
import { type DraftState } from './use-draft.js';
import { useAskedAction } from './use-asked-action.js';
import { useEditorFocus } from './use-editor-focus.js';
import { useOpenCards } from './use-open-cards.js';
import { type Save } from './saving/use-save.js';
import { useSaveKey } from './saving/use-save-key.js';
import { useTestMarks } from './testing/use-test-marks.js';
import { begunOf } from './begun.js';
import { useSourceRun } from '../../runs/source/use-source-run.js';

/** The ordered list of actions with its forms, saved as a whole; beside it, when asked for, a test run. */
export function ActionsEditor(props: ActionsEditorProps) {
  const { workflowId, state, saving, testing, onTest, onTestEnd, testRefusal } = props;
  const { draft, dirty, change } = state;
  const source = useSourceRun(workflowId, begunOf(workflowId)?.sample);
  const cards = useOpenCards(draft.actions, saving.refusals);
  const marks = useTestMarks(state);
  const waits = waitsOf(draft);
  const root = useRef<HTMLDivElement>(null);
  const focus = useEditorFocus(root, saving.refusals);
  const [removed, setRemoved] = useState<{ action: DraftAction; index: number }>();
  useSaveKey(() => dirty && !saving.saving && void saving.save());
  const add = (kind: (typeof draft.actions)[number]['kind']): void => {
    const key = newKey();
    change({ type: 'add', kind, key });
    cards.open(key);
    focus.on(`[data-action="${key}"] [data-field="name"]`);
  };
  useAskedAction(draft.actions, (key) => {
    cards.open(key);
    focus.on(`[data-action="${key}"] [aria-expanded]`);
  });
  return (
    <div className={classes.layout} data-testing={testing > 0 || undefined}>
      <div ref={root} className={classes.editor}>
        <ActionsHead source={source} count={draft.actions.length} />
        <TriggerCard workflowId={workflowId} />
        {draft.actions.length === 0 ? (
          <NoActions add={<AddAction onAdd={add} primary />} />
        ) : (
          <ol className={classes.list}>
            {draft.actions.map((action, index) => (
              <ActionCard
                key={action.key}
                action={action}
                actions={draft.actions}
                index={index}
                open={cards.isOpen(action.key)}
                mark={marks.of(action.name)}
                onToggle={() => cards.toggle(action.key)}
                suggestions={
                  cards.isOpen(action.key) ? suggestionsFor(draft.actions.slice(0, index), waits, source.run) : []
                }
                change={change}
                onMove={(by) => {
                  change({ type: 'move', key: action.key, by });
                  focus.on(`[data-action="${action.key}"] [data-move="${by === 1 ? 'down' : 'up'}"]`);
                  focus.say(`${action.name} is now ${index + 1 + by} of ${draft.actions.length}.`);
                }}
                onRemove={() => {
                  const next = draft.actions[index + 1] ?? draft.actions[index - 1];
                  change({ type: 'remove', key: action.key });
                  setRemoved({ action, index });
                  focus.on(next === undefined ? '[aria-haspopup=menu]' : `[data-action="${next.key}"] button`);
                }}
              />
            ))}
          </ol>
        )}
        {draft.actions.length > 0 && (
          <div className={classes.add}>
            <AddAction onAdd={add} />
          </div>
        )}
        <Removed
          name={dirty ? removed?.action.name : undefined}
          onUndo={() => {
            if (removed === undefined) return;
            change({ type: 'restore', ...removed });
            focus.on(`[data-action="${removed.action.key}"] button`);
            setRemoved(undefined);
          }}
        />
        <VisuallyHidden role="status">{focus.said}</VisuallyHidden>
        <SaveBar
          state={state}
          saving={saving}
          onTest={testing > 0 ? undefined : onTest}
          onErrors={() => {
            cards.openFaulty();
            focus.onFault();
          }}
        />
      </div>
      {testing > 0 && (
        <TestPanel
          workflowId={workflowId}
          source={source}
          asked={testing}
          dirty={dirty}
          saved={draft.saved}
          save={saving.save}
          onEnd={(run, tested) => {
            source.choose(run.id);
            marks.end(run, tested);
          }}
          onClose={onTestEnd}
          refusal={testRefusal}
        />
      )}
      <ConflictDialog saving={saving} change={change} />
    </div>
  );
}

/** `testing` is 0 while there is no test panel; `testRefusal` is the reason why no test run is possible now. */
export interface ActionsEditorProps {
  workflowId: string;
  state: DraftState;
  saving: Save;
  testing: number;
  onTest: () => void;
  onTestEnd: () => void;
  testRefusal: string | undefined;
}
